import { describe, expect, test } from "vitest";
import { Kind, Role } from "../entry/index.js";
import { leftBehind, type MovePlace, planMove } from "./plan-move.js";
import { drawTree } from "./tree-drawing.test-support.js";
import { TreeIndex } from "./tree-index.js";

/**
 * Upper case: prompts. Lower case: summaries, which start no turn. `k` is a compaction, `l` a label, `p` a position.
 */
function drawn(drawing: string) {
  const kinds: Record<string, Kind> = { k: Kind.compaction, l: Kind.label, p: Kind.position };
  for (const name of "abcdef") kinds[name] = Kind.branchSummary;
  return drawTree(drawing, kinds);
}

describe("a planned move", () => {
  const { tree, n, names } = drawn("A-b-C-d-l; b-E-f-p");

  function planned(target: string | null, place: MovePlace, leaf = "d"): string {
    const { from, to, before, same } = planMove({ tree, leaf: n(leaf) }, { target, place });
    return `${names([from, to])}${before ? " before" : ""}${same ? " same" : ""}`;
  }

  test("that is selected ends right before what starts a turn, and on anything else", () => {
    expect(["A", "b", "C", "E", "f"].map((target) => planned(target, "selected"))).toEqual([
      "d - before",
      "d b",
      "d b before",
      "d b before",
      "d f",
    ]);
  });

  test("that is exact ends on the very entry, or before the first one", () => {
    expect(["A", "E", "f", null].map((target) => planned(target, "exact"))).toEqual(["d A", "d E", "d f", "d -"]);
  });

  test("to a record of a position goes to the place it names", () => {
    expect(planned("p", "selected")).toBe("d f");
  });

  test("is one position if only notes are between", () => {
    expect(planned("d", "selected", "l")).toBe("l d same");
    expect(planned("C", "selected", "b")).toBe("b b before same");
    expect(planned("C", "selected", "C")).toBe("C C same");
  });

  test("takes numbers and ids, and says which id is unknown", () => {
    const source = { tree, leaf: n("d") };
    expect(planMove(source, { target: n("E"), place: "exact" })).toEqual(
      planMove(source, { target: "E", place: "exact" }),
    );
    expect(() => planMove(source, { target: "nope", place: "exact" })).toThrow("Entry nope not found");
  });
});

describe("what a move leaves behind", () => {
  function left(drawing: string, from: string, to: string, tokens: number | undefined = 10) {
    const { tree, n } = drawn(drawing);
    return leftBehind(tree, { from: n(from), to: n(to), tokensOf: () => tokens });
  }

  test("is the conversation that is not on the way to the new place", () => {
    expect(left("A-b-C-d; b-E-f", "d", "f")).toEqual({ entries: 2, tokens: 20 });
    expect(left("A-b-C-d-l", "l", "b")).toEqual({ entries: 2, tokens: 20 });
    expect(left("A-b-C-d", "b", "d")).toEqual({ entries: 0, tokens: 0 });
    expect(left("A-b; C-d", "b", "d")).toEqual({ entries: 2, tokens: 20 });
  });

  test("is counted no further than a compaction, which speaks for what is above it", () => {
    expect(left("A-b-C-k-D-e", "e", "A")).toEqual({ entries: 5, tokens: 30 });
  });

  /** A chain of prompts with lines of 550 bytes, 100 tokens each, and a compaction at one index. */
  function chain(count: number, compaction = -1) {
    const tree = new TreeIndex();
    for (let i = 0; i < count; i++) {
      const kind = i === compaction ? Kind.compaction : Kind.message;
      tree.add(`e${i}`, i === 0 ? null : `e${i - 1}`, { kind, role: Role.user, offset: i * 550, length: 550 });
    }
    let read = 0;
    const tokensOf = () => {
      read += 1;
      return 110;
    };
    const of = (known: boolean) =>
      leftBehind(tree, { from: count - 1, to: -1, tokensOf: known ? tokensOf : () => undefined });
    return { of, read: () => read };
  }

  test("of a long branch is counted for its newest part, and by its size above that", () => {
    const long = chain(5000);
    expect(long.of(true)).toEqual({ entries: 5000, tokens: 200 * 110 + 4800 * 100 });
    expect(long.read()).toBe(200);
    expect(long.of(false)).toEqual({ entries: 5000, tokens: 5000 * 100 });
  });

  test("ends at a compaction far up as well", () => {
    expect(chain(5000, 4000).of(true)).toEqual({ entries: 5000, tokens: 200 * 110 + 800 * 100 });
  });
});
