/** Many sessions in one process share one memory budget, and closing them returns it. */
import { readFileSync, truncateSync } from "node:fs";
import { SessionManager, setSessionMemory } from "@bough/session/session/index.js";
import { lineBlocks } from "@bough/session/session/memory/line-blocks.js";
import { sessionMemory } from "@bough/session/session/memory/memory-budget.js";
import { afterEach, describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { fastFolder } from "../support/temp-folder.js";

const DEFAULT_MEMORY = sessionMemory.limit;
afterEach(() => setSessionMemory(DEFAULT_MEMORY));

function written(count: number, messages: number): SessionManager[] {
  return Array.from({ length: count }, () => {
    const session = SessionManager.create("/w", fastFolder(), { durability: "none" });
    for (let i = 0; i < messages; i++) session.appendMessage(user(`${i} ${"x".repeat(10_000)}`));
    return session;
  });
}

const held = () => ({ lines: lineBlocks.bytes, entries: sessionMemory.used });

describe("the memory of many open sessions", () => {
  it("has one budget for what they wrote, and closing gives it back", () => {
    const before = held();
    const sessions = written(100, 40);
    expect(lineBlocks.bytes - before.lines).toBeGreaterThan(30 << 20);
    expect(lineBlocks.bytes).toBeLessThanOrEqual(32 << 20);
    for (const session of sessions) session.close();
    expect(held()).toEqual(before);
  });

  it("has one budget for what they read, and every context is right whoever has to give way", () => {
    setSessionMemory(4 << 20);
    const before = held();
    const sessions = written(20, 40);
    for (let round = 0; round < 2; round++) {
      for (const session of sessions) {
        expect(session.buildSessionContext().messages).toHaveLength(40);
        expect(sessionMemory.used).toBeLessThanOrEqual(4 << 20);
      }
    }
    for (const session of sessions) session.close();
    expect(held()).toEqual(before);
  });

  it("takes nothing for sessions that were opened and not read", () => {
    const [session] = written(1, 40) as [SessionManager];
    session.close();
    const before = held();
    const opened = Array.from({ length: 50 }, () => SessionManager.open(session.getSessionFile() as string));
    // Opening reads one entry, the leaf.
    expect(sessionMemory.used - before.entries).toBeLessThan(50 * 11_000);
    expect(lineBlocks.bytes).toBe(before.lines);
    for (const one of opened) one.close();
    expect(held()).toEqual(before);
  });

  it("still has the last lines of a session whose file is cut short (I7)", () => {
    const [session, ...others] = written(10, 20) as [SessionManager, ...SessionManager[]];
    const file = session.getSessionFile() as string;
    truncateSync(file, 0);
    session.appendMessage(user("after"));
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(1 + 20 + 1);
    for (const one of [session, ...others]) one.close();
  });
});
