import { type AgentMessage, callsIn, resultIn, type SessionEntry } from "@bough/session/entry/index.js";
import { inOneGo } from "@bough/session/log/index.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answer, result, user } from "../operation-parts.test-support.js";
import { compactionCut } from "./compaction-cut.js";

/** About `tokens` tokens with the four of the message itself. */
function words(tokens: number): string {
  return "abcd".repeat(tokens - 4);
}

/** `u10` user, `a10` answer, `c10:1,2` answer with calls, `r10:1` result; numbers are tokens. */
function entries(drawing: string): SessionEntry[] {
  return drawing.split(" ").map((drawn, index) => {
    const [, kind, size, ids] = /^([uacr])(\d+)(?::(.*))?$/.exec(drawn) as RegExpExecArray;
    const text = words(Number(size));
    const calls = (ids ?? "").split(",").map((id) => ({ id, name: "x" }));
    const made: Record<string, () => AgentMessage> = {
      u: () => user(text),
      a: () => answer(text),
      c: () => answer(text, { calls }),
      r: () => result(ids ?? "", text),
    };
    const message = (made[kind as string] as () => AgentMessage)();
    return { type: "message", id: String(index), parentId: null, timestamp: "", message };
  });
}

describe("where a compaction cuts", () => {
  test.each([
    ["at a turn, keeping as many turns as fit", "u10 a10 u10 a10 u10 a10", 45, { at: 2, splitTurn: false }],
    ["never more than fits", "u10 a10 u10 a10 u10 a10", 39, { at: 4, splitTurn: false }],
    ["before the last turn where everything fits", "u10 a10 u10 a10", 1000, { at: 2, splitTurn: false }],
    ["after a big turn and before a small one", "u10 c10:1 r500:1 a10 u10 a10", 50, { at: 4, splitTurn: false }],
    ["inside a turn that alone is too big", "u10 c10:1 r50:1 c10:2 r10:2 a10", 40, { at: 3, splitTurn: true }],
    ["not between a call and its result", "u10 a10 c10:1 r50:1 a10", 62, { at: 4, splitTurn: true }],
    [
      "not between parallel calls and their results",
      "u10 c10:1,2 r10:2 r10:1 c10:3 r10:3",
      35,
      { at: 4, splitTurn: true },
    ],
    [
      "not before a word said between a call and its result",
      "u10 a10 c10:1 u10 r10:1 a10",
      35,
      { at: 5, splitTurn: true },
    ],
    [
      "before the last call where its result alone is too big",
      "u10 a10 u10 c10:1 r500:1",
      50,
      { at: 3, splitTurn: true },
    ],
  ])("%s", (_name, drawing, keep, cut) => {
    expect(inOneGo(compactionCut(entries(drawing), keep))).toEqual(cut);
  });

  test.each([
    ["no entries", ""],
    ["one prompt", "u500"],
    ["one short turn", "u10 a10"],
  ])("nowhere with %s", (_name, drawing) => {
    expect(inOneGo(compactionCut(drawing === "" ? [] : entries(drawing), 100))).toBeUndefined();
  });

  test("whatever the conversation, no result is kept without its call, and something is summarised", () => {
    const step = fc.oneof(
      fc.integer({ min: 5, max: 60 }).map((n) => [`u${n}`, `a${n}`]),
      fc.tuple(fc.integer({ min: 5, max: 60 }), fc.integer({ min: 1, max: 3 })).map(([n, many]) => {
        const ids = Array.from({ length: many }, (_, i) => `${n}-${i}-ID`);
        return [`u${n}`, `c${n}:${ids.join(",")}`, ...ids.toReversed().map((id) => `r${n}:${id}`), `a${n}`];
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 400 }), (steps, keep) => {
        const drawn = steps.flatMap((turn, at) => turn.map((part) => part.replaceAll("ID", String(at))));
        const conversation = entries(drawn.join(" "));
        const cut = inOneGo(compactionCut(conversation, keep));
        if (cut === undefined) return steps.length === 1;
        const kept = conversation.slice(cut.at);
        const calls = new Set(kept.flatMap(callsIn).map(({ id }) => id));
        const results = kept.map(resultIn).filter((found) => found !== undefined);
        return cut.at > 0 && results.every(({ toolCallId }) => calls.has(toolCallId));
      }),
    );
  });
});
