import fc from "fast-check";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { inOneGo } from "../../log/index.js";
import { EntryNumbers } from "./entry-numbers.js";
import { idKey } from "./message-runs.js";

/** IDs as programs make them, and some that have no key. */
const anId = fc.oneof(
  fc.integer({ min: 0, max: 2000 }).map((n) => n.toString(16).padStart(8, "0")),
  fc.integer({ min: 0, max: 40 }).map((n) => `${n}-0c9d-4b1e-8a57-8d4f7c6e5b2a`),
  fc.constantFrom("a", "b", "ü", 'with "quotes"', "x".repeat(300)),
);

function filled(ids: readonly string[], runs: readonly boolean[]): EntryNumbers {
  const numbers = new EntryNumbers((n, id) => ids[n] === id);
  for (const [n, id] of ids.entries()) {
    const key = idKey(id);
    if (runs[n] === true && key !== undefined) numbers.addRun(Float64Array.of(key));
    else numbers.add(id);
  }
  return numbers;
}

test("duplicates are found as by a set of all IDs", () => {
  fc.assert(
    fc.property(fc.array(anId, { maxLength: 300 }), fc.array(fc.boolean(), { maxLength: 300 }), (ids, runs) => {
      expect(inOneGo(filled(ids, runs).mayHaveDuplicates())).toBe(new Set(ids).size < ids.length);
    }),
    { numRuns: sampledRuns({ all: 1000, some: 100 }) },
  );
});

test("ten thousand different IDs, which differ in few places, are no duplicates, and one more of them is", () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => n.toString(16).padStart(8, "0"));
  const found = [ids, [...ids, "00000a00"]].map((some) => inOneGo(filled(some, []).mayHaveDuplicates()));
  expect(found).toEqual([false, true]);
});
