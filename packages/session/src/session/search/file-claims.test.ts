import { expect, test } from "vitest";
import { FileClaims } from "./file-claims.js";

test("each file is taken once and in order, first come, first served", () => {
  const here = new FileClaims(4);
  const there = new FileClaims(here.shared);
  const taken = [here.take(1), there.take(2), there.take(2), here.take(1), there.take(2), here.take(1)];
  expect(taken).toEqual([0, 1, 2, 3, -1, -1]);
  expect([here.takenBy(1), here.takenBy(2), here.takenBy(3)]).toEqual([[0, 3], [1, 2], []]);
});

test("of no files none can be taken", () => {
  expect(new FileClaims(0).take(1)).toBe(-1);
});
