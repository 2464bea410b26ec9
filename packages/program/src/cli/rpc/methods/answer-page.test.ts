import { sessionStats, sessionStatsInSlices } from "@bough/agent/agent/internal.js";
import { drawSession } from "@bough/session/session/draw-session.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { LINE_LIMIT } from "../line-limit.js";
import { answerPage, PAGE_LIMIT } from "./answer-page.js";

describe("a page of an answer", () => {
  const keys = Array.from({ length: 50 }, (_, i) => i);

  test("has at most as many items as requested, and reads no others", async () => {
    const read: number[] = [];
    const item = (key: number) => {
      read.push(key);
      return key * 2;
    };
    expect(await answerPage(keys, item, { offset: 3, limit: 2 })).toEqual({
      total: 50,
      offset: 3,
      next: 5,
      items: [6, 8],
    });
    expect(read).toEqual([3, 4]);
    expect(await answerPage(keys, item, { offset: 60, limit: 2 })).toEqual({
      total: 50,
      offset: 60,
      next: null,
      items: [],
    });
  });

  test("stays below the limit of a line, and shortens an item that is longer", async () => {
    const long = (key: number) => ({ key, text: "é".repeat(key === 10 ? PAGE_LIMIT : PAGE_LIMIT / 8) });
    const seen: number[] = [];
    for (let offset = 0, more = true; more; ) {
      const { items, next } = await answerPage(keys, long, { offset, limit: 1000 });
      expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(LINE_LIMIT);
      for (const item of items) expect("cut" in item).toBe(item.key === 10);
      seen.push(...items.map(({ key }) => key));
      more = next !== null;
      offset = next ?? offset;
    }
    expect(seen).toEqual(keys);
  });
});

describe("statistics in slices", () => {
  test("are those that are made in one go", async () => {
    const session = drawSession("A-b-C-d*; b-E-f");
    expect(await sessionStatsInSlices(session)).toEqual(sessionStats(session));
  });

  test("let timers run in between", async () => {
    const session = SessionManager.inMemory("/project");
    for (let i = 0; i < 30_000; i++) session.appendMessage({ role: "user", content: `prompt ${i}`, timestamp: i });
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    const stats = await sessionStatsInSlices(session);
    clearInterval(timer);
    expect(stats.session.entries).toBe(30_000);
    expect(ticks).toBeGreaterThan(0);
  });
});
