import { describe, expect, test } from "vitest";
import { line } from "../verify/damaged-files.test-support.js";
import { Proof } from "./proof.js";

function lineOf(id: string, parentId: string | null, text = id): Buffer {
  return Buffer.from(line(id, parentId, text));
}

/** How many of the shown lines match the proof: `a` byte for byte, `b` at another position. */
function found(...shown: readonly Buffer[]): { readonly found: number; readonly shown: number } {
  const proof = new Proof();
  proof.expectSame(lineOf("a", null));
  proof.expectMoved(lineOf("b", "gone", "text"), { id: "new", parentId: null });
  for (const one of shown) proof.show(one);
  return { found: proof.found, shown: proof.shown };
}

describe("a proof", () => {
  test("holds where every entry is there", () => {
    expect(found(lineOf("a", null), lineOf("new", null, "text"))).toEqual({ found: 2, shown: 2 });
  });

  test("notices an entry that is missing, out of order or one too many", () => {
    expect(found(lineOf("new", null, "text"))).toEqual({ found: 0, shown: 1 });
    expect(found(lineOf("new", null, "text"), lineOf("a", null))).toEqual({ found: 0, shown: 2 });
    expect(found(lineOf("a", null), lineOf("new", null, "text"), lineOf("c", null))).toEqual({ found: 2, shown: 3 });
  });

  test("notices one changed byte", () => {
    expect(found(lineOf("a", null, "b"), lineOf("new", null, "text"))).toEqual({ found: 1, shown: 2 });
    expect(found(lineOf("a", null), lineOf("new", null, "Text"))).toEqual({ found: 1, shown: 2 });
  });

  test("notices an entry in a place it was not given", () => {
    expect(found(lineOf("a", null), lineOf("new", "a", "text"))).toEqual({ found: 1, shown: 2 });
    expect(found(lineOf("a", null), lineOf("b", null, "text"))).toEqual({ found: 1, shown: 2 });
  });
});
