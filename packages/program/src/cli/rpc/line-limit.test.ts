import { inOneGo } from "@bough/session/text/index.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { CUT_TO, isSurelyTooLong, LINE_LIMIT, longSendable, partOf, sendable, shortened } from "./line-limit.js";
import { rpcValidator } from "./rpc-validator.test-support.js";

const bytes = (text: string) => Buffer.byteLength(text);

describe("what is too long for a line", () => {
  test("is shortened in its texts and lists, says how long it was, and keeps its shape", () => {
    const content = [{ type: "text", text: "é".repeat(1_000_000) }, ...Array(50_000).fill({ type: "text", text: "b" })];
    const message = { role: "user", content, timestamp: 1 };
    const entry = { type: "message", id: "a", parentId: null, timestamp: "2026-01-01T00:00:00.000Z", message };
    const short = shortened(entry, { most: LINE_LIMIT, to: CUT_TO });
    expect(bytes(JSON.stringify(short))).toBeLessThanOrEqual(CUT_TO);
    expect(short).toMatchObject({ id: "a", cut: { characters: JSON.stringify(entry).length } });
    expect(JSON.stringify(short)).toMatch(/é… \[\d+ more characters\]/);
    expect(rpcValidator().definition("Entry", short)).toEqual([]);
  });

  test("is the same when it is made in steps, whatever JSON makes of its values", () => {
    const odd = { gone: undefined, call: () => 1, nan: Number.NaN, date: new Date(0), map: new Map([[1, 2]]) };
    const result = { text: '\u2028é"'.repeat(500_000), list: [undefined, Symbol("s"), odd, [], {}], ...odd };
    const line = { id: 1, result };
    const steps = longSendable(line);
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(step.value).toBe(sendable(line));
    expect(count).toBeGreaterThan(10);
  });

  test("is unchanged if it fits", () => {
    const small = { id: 1, result: { text: "x" } };
    expect(JSON.parse(sendable(small))).toEqual(small);
    expect(shortened(small, { most: 1000, to: 100 })).toBe(small);
  });

  test("never makes a line of a megabyte, whatever it is, and always one that can be answered by its id", () => {
    const long = fc.oneof(
      fc.constantFrom("x", "é", '"').map((unit) => unit.repeat(1_200_000)),
      // Each is escaped or takes more bytes.
      fc.constantFrom("\u007f", "😀", "\ud800").map((unit) => unit.repeat(300_000)),
      fc.constant(Array.from({ length: 300_000 }, (_, i) => i)),
      fc.constant(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, "value"]))),
      fc.constant({ ["k".repeat(1_500_000)]: 1 }),
      fc.constant(Array.from({ length: 2000 }, () => Array.from({ length: 100 }, () => ({ a: "b".repeat(10) })))),
      fc.integer({ min: 500, max: 900 }).map((depth) => nested(depth, "z".repeat(1_200_000))),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(long, fc.string(), fc.integer()), { maxLength: 4 }), (result) => {
        const line = sendable({ id: 7, result });
        expect(isSurelyTooLong({ id: 7, result }) && JSON.stringify({ id: 7, result }).length < LINE_LIMIT).toBe(false);
        if (isSurelyTooLong({ id: 7, result })) expect(inOneGo(longSendable({ id: 7, result }))).toBe(line);
        expect(bytes(line)).toBeLessThan(LINE_LIMIT);
        expect(JSON.parse(line)).toMatchObject({ id: 7 });
      }),
      { numRuns: sampledRuns({ all: 40, some: 8 }) },
    );
  });

  test("comes in parts that give the whole when they are joined", () => {
    const texts = ["😀".repeat(200_000), "é\u007f".repeat(200_000), "", "\ud83d".repeat(100_000)];
    for (const text of texts) {
      const parts: string[] = [];
      for (let offset = 0, more = true; more; ) {
        const part = partOf({ text }, offset);
        const line = sendable({ id: 1, result: part });
        expect(bytes(line)).toBeLessThan(LINE_LIMIT);
        expect("cut" in JSON.parse(line)).toBe(false);
        // No part ends inside a surrogate pair.
        if (!text.includes("\ud83d".repeat(2))) expect(part.text).not.toMatch(/[\ud800-\udbff]$/);
        parts.push(part.text);
        more = part.next !== null;
        offset = part.next ?? 0;
      }
      expect(JSON.parse(parts.join(""))).toEqual({ text });
    }
  });
});

function nested(depth: number, text: string): unknown {
  let value: unknown = text;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
