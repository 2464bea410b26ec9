import { expect, test } from "vitest";
import { diffContent, diffPieces, previewContent } from "./diff-content.js";

const DIFF =
  "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n@@ -9 +9,2 @@\n-nine\n+9\n+10\n\\ No newline at end of file\n";

test("each hunk is a piece of old and new text, with its line", () => {
  expect(diffPieces(DIFF)).toEqual([
    { line: 1, oldText: "one\ntwo\nthree", newText: "one\n2\nthree" },
    { line: 9, oldText: "nine", newText: "9\n10" },
  ]);
  expect(diffContent("/a.txt", DIFF)[1]).toEqual({ type: "diff", path: "/a.txt", oldText: "nine", newText: "9\n10" });
  expect(diffPieces("not a diff")).toEqual([]);
});

test("a file that would be new has no old text, one that cannot be compared has an empty one", () => {
  expect(previewContent("/a", { kind: "create", text: "x" })).toEqual([
    { type: "diff", path: "/a", oldText: null, newText: "x" },
  ]);
  expect(previewContent("/a", { kind: "replace", text: "x", bytes: 9 })).toEqual([
    { type: "diff", path: "/a", oldText: "", newText: "x" },
  ]);
});
