import { expect, test } from "vitest";
import type { EntryId, FileState } from "../entry/index.js";
import { type FileStep, fileTargets } from "./file-walk.js";

const state = (digit: number): FileState => ({ hash: String(digit).repeat(64), mode: "644", size: 1 });

/** A step that changed `a` from one number to the next. */
function step(after: number, others: NonNullable<FileStep["with"]>): FileStep {
  const changes = [{ path: "a", before: state(after - 1), after: state(after) }];
  return { entryId: `e${after}` as EntryId, by: "person", changes, with: others };
}

test("a file that other sessions changed in several steps names each of them once, with all of its calls", () => {
  const up = [
    step(4, [{ session: "x", callIds: ["2", "3"] }]),
    step(3, [{ session: "y" }, { session: "x" }]),
    step(2, [{ session: "y" }]),
    step(1, [{ session: "x", callIds: ["1", "2"] }]),
  ];
  expect(fileTargets({ up, down: [] })).toEqual([
    {
      path: "a",
      expected: state(4),
      wanted: state(0),
      byPerson: true,
      with: [{ session: "x", callIds: ["2", "3", "1"] }, { session: "y" }],
    },
  ]);
});
