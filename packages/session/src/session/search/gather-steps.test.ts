import { expect, test } from "vitest";
import { gatherSteps } from "./gather-steps.js";
import type { FileStep, SearchHit } from "./search-hit.js";

const hit = (entryId: string): SearchHit => ({ entryId }) as SearchHit;

/** The yielded steps, followed by the returned one. */
function gathered(steps: readonly FileStep[], forMs: number): FileStep[] {
  const all: FileStep[] = [];
  const gathering = gatherSteps(steps, { forMs, from: 7 });
  for (let next = gathering.next(); ; next = gathering.next()) {
    all.push(next.value);
    if (next.done) return all;
  }
}

const LONG = Number.POSITIVE_INFINITY;

test("keeps hits in order and reports how far the last step was", () => {
  const steps = [
    { hits: [hit("a")], done: 1 },
    { hits: [], done: 2 },
    { hits: [hit("b"), hit("c")], done: 3 },
  ];
  expect(gathered(steps, LONG)).toEqual([{ hits: [hit("a"), hit("b"), hit("c")], done: 3 }]);
  expect(gathered(steps, 0)).toEqual([...steps, { hits: [], done: 3 }]);
});

test("never gathers two problems into one step, and not without limit", () => {
  const problem = { path: "p", code: "read-failed", message: "m" } as const;
  const many = Array.from({ length: 256 }, (_, n) => hit(`${n}`));
  const steps = [
    { hits: [], done: 1, problem },
    { hits: [hit("a")], done: 2, problem },
    { hits: many, done: 3 },
    { hits: [hit("b")], done: 4 },
  ];
  expect(gathered(steps, LONG)).toEqual(steps);
});

test.each([0, LONG])("the last step says that another thread continues, after %s ms", (forMs) => {
  const steps = [
    { hits: [], done: 1 },
    { hits: [], done: 2, rest: { from: 2 } },
  ];
  expect(gathered(steps, forMs).at(-1)).toEqual({ hits: [], done: 2, rest: { from: 2 } });
  expect(gathered(steps, forMs).filter((step) => step.rest !== undefined)).toHaveLength(1);
});

test("a file of which nothing is left is as far as it was", () => {
  expect(gathered([], LONG)).toEqual([{ hits: [], done: 7 }]);
});
