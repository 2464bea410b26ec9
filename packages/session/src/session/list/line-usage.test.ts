import { describe, expect, it } from "vitest";
import { type SessionCost, UsageSum } from "./line-usage.js";

const PRICED = {
  input: 10,
  output: 2,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 12,
  cost: { input: 0.1, output: 0.15, cacheRead: 0, cacheWrite: 0, total: 0.25 },
};
const UNPRICED = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0 };
const START = { type: "message", id: "a", parentId: null, timestamp: "2026-01-15T12:00:00.000Z" };

const answer = (usage: unknown, text = "yes", rest: object = {}) => ({
  ...START,
  message: { role: "assistant", content: [{ type: "text", text }], model: "m", usage, stopReason: "stop", ...rest },
});

function costOf(...lines: readonly (object | string)[]): SessionCost {
  const sum = new UsageSum();
  for (const line of lines) {
    const text = typeof line === "string" ? line : JSON.stringify(line);
    const bytes = Buffer.from(`before\n${text}\nbehind`);
    sum.take(bytes, "before\n".length, bytes.length - "\nbehind".length);
  }
  return sum.cost;
}

const ONE = { dollars: 0.25, unpriced: 0 };
const NONE = { dollars: 0, unpriced: 0 };

describe("what a line has cost", () => {
  it.each([
    ["an answer", answer(PRICED)],
    ["an answer with more behind its usage", answer(PRICED, "yes", { timestamp: 1, errorMessage: 'a \\ "b" } {' })],
    ["an answer with a list behind its usage", answer(PRICED, "yes", { diagnostics: [{ usage: PRICED }] })],
    ["a tool result", { ...START, message: { role: "toolResult", content: "x".repeat(2000), usage: PRICED } }],
    ["a summary", { ...START, type: "branch_summary", summary: "s", usage: PRICED }],
    ["a compaction", { ...START, type: "compaction", summary: "s", usage: PRICED, fromHook: true }],
    ["a record of use", { ...START, type: "usage", kind: "summary", usage: PRICED }],
    ["a line with blanks", JSON.stringify(answer(PRICED), undefined, 1).replace(/\n/g, " ")],
    ["an answer whose usage comes first", { ...START, message: { usage: PRICED, role: "assistant", content: "x" } }],
    ["a usage without a count of tokens", answer({ cost: { total: 0.25 } })],
    ["a price with an exponent", answer({ ...PRICED, cost: { input: 1e-7, total: 2.5e-1 } })],
    ["an entry with an origin behind it", { ...answer(PRICED), origin: { usage: UNPRICED, stopReason: "stop" } }],
  ])("is found in %s", (_, line) => {
    expect(costOf(line)).toEqual(ONE);
  });

  it.each([
    ["a text about usage", answer(undefined, JSON.stringify({ ...PRICED, usage: PRICED }))],
    ["a text that ends like an answer", answer(undefined, `${JSON.stringify(answer(PRICED)).slice(0, -2)}}}`)],
    ["the details of a tool", { ...START, message: { role: "toolResult", content: "x", details: { usage: PRICED } } }],
    [
      "what an extension keeps",
      { ...START, type: "custom", customType: "x", data: { model: "m", usage: PRICED, stopReason: "stop" } },
    ],
    ["an origin", { ...answer(undefined), origin: { usage: PRICED } }],
    ["the entry of a message", { ...answer(undefined), usage: PRICED }],
    ["the message of a summary", { ...START, type: "branch_summary", message: { usage: PRICED } }],
    ["a list", answer([PRICED])],
    ["a line that is no JSON", `${JSON.stringify({ ...START, usage: PRICED })}}`],
    ["a call that used nothing", answer({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })],
  ])("is nothing for %s", (_, line) => {
    expect(costOf(line)).toEqual(NONE);
  });

  it.each([
    ["no price", UNPRICED],
    ["a price that is no number", { ...UNPRICED, cost: { total: "free" } }],
    ["parts and no total", { ...UNPRICED, cost: { input: 0.1, output: 0.2 } }],
    ["null for a price", { ...UNPRICED, cost: null }],
    ["only a count of all tokens", { totalTokens: 7 }],
  ])("is not known with %s", (_, usage) => {
    expect(costOf(answer(usage))).toEqual({ dollars: 0, unpriced: 1 });
  });

  it("is added up", () => {
    expect(costOf(answer(PRICED), answer(UNPRICED), answer(PRICED), answer(undefined))).toEqual({
      dollars: 0.5,
      unpriced: 1,
    });
  });
});
