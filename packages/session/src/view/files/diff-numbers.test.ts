import { expect, test } from "vitest";
import { diffMargins, diffNumbers } from "./diff-numbers.js";

test("lines have the number of the file they are in: removed ones of the old file, others of the new one", () => {
  const diff = [
    "--- a",
    "+++ b",
    "@@ -8,3 +8,4 @@",
    " same",
    "-old",
    "+new",
    "+more",
    " end",
    "@@ -20 +21,0 @@",
    "-gone",
  ];
  expect(diffNumbers(diff)).toEqual([undefined, undefined, undefined, 8, 9, 9, 10, 11, undefined, 20]);
  expect(diffMargins(diff)).toEqual(["", "", "", " 8 ", " 9 ", " 9 ", "10 ", "11 ", "", "20 "]);
});

test("what looks like a head inside of a hunk is a line of the file", () => {
  expect(diffNumbers(["@@ -1,2 +1,1 @@", "-@@ -5 +5 @@", " x", "--- y"])).toEqual([undefined, 1, 1, undefined]);
});

test("a mark for a missing newline has none, nor have lines that no head counts", () => {
  expect(diffNumbers(["@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b", "+c"])).toEqual([
    undefined,
    1,
    undefined,
    1,
    undefined,
  ]);
  expect(diffMargins(["+a", "+b"])).toEqual(["", ""]);
});
