import { describe, expect, it } from "vitest";
import { header, line, positionLine } from "../../../../../test/support/session-lines.js";
import { MemoryLog } from "../../log/index.js";
import { countLog, type SessionCounts } from "./count-log.js";

function countsOf(text: string): SessionCounts {
  const log = new MemoryLog({ access: "read" });
  log.fill(Buffer.from(text));
  return countLog(log);
}

function answer(id: string, parentId: string, dollars: number, text = "yes"): string {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: dollars } };
  const message = { role: "assistant", content: [{ type: "text", text }], usage, stopReason: "stop", timestamp: 1 };
  return line(id, parentId, { message });
}

const name = (id: string, parentId: string, text: string) =>
  line(id, parentId, { type: "session_info", message: undefined, name: text });

describe("what a list counts in a session", () => {
  it("is prompts, messages, branches and cost of all branches", () => {
    const text =
      header() +
      line("a", null) +
      answer("b", "a", 0.5) +
      line("c", "b") +
      answer("d", "c", 0.25) +
      line("e", "b") +
      answer("f", "e", 1) +
      name("n", "f", "A name") +
      positionLine("p", "d");
    expect(countsOf(text)).toEqual({
      name: "A name",
      messageCount: 6,
      turnCount: 3,
      branchCount: 2,
      cost: { dollars: 1.75, unpriced: 0 },
    });
  });

  it("is the same in a file that is damaged, without what cannot be read", () => {
    const good = header() + line("a", null) + answer("b", "a", 0.5) + line("c", "b");
    const torn = answer("d", "c", 4).slice(0, -10);
    expect(countsOf(`${good}{"broken\n${answer("e", "c", 0.25)}${torn}`)).toEqual({
      name: undefined,
      messageCount: 4,
      turnCount: 2,
      branchCount: 1,
      cost: { dollars: 0.75, unpriced: 0 },
    });
  });

  it("counts a repeated line once", () => {
    const text = header() + line("a", null) + answer("b", "a", 0.5) + answer("b", "a", 0.5);
    expect(countsOf(text)).toMatchObject({ messageCount: 2, cost: { dollars: 0.5, unpriced: 0 } });
  });

  it("has the cost of an answer that is longer than what is read at once", () => {
    const text = header() + line("a", null) + answer("b", "a", 0.5, "long ".repeat(500_000)) + answer("c", "b", 0.25);
    expect(countsOf(text)).toMatchObject({ messageCount: 3, cost: { dollars: 0.75, unpriced: 0 } });
  });

  it("is nothing in a session without entries", () => {
    expect(countsOf(header())).toEqual({
      name: undefined,
      messageCount: 0,
      turnCount: 0,
      branchCount: 0,
      cost: { dollars: 0, unpriced: 0 },
    });
  });
});
