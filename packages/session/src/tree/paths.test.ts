import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { childrenOf, commonAncestor, depthOf, isOnPath, pathTo } from "./paths.js";
import { drawTree, treeOfRows } from "./tree-drawing.test-support.js";

describe("a drawn tree", () => {
  const { tree, n, names } = drawTree("a-b-c-d; b-e-f; e-g; r-s");

  it.each([
    ["a", "a"],
    ["d", "a b c d"],
    ["f", "a b e f"],
    ["g", "a b e g"],
    ["s", "r s"],
  ])("has the path to %s: %s", (name, path) => {
    expect(names(pathTo(tree, n(name)))).toBe(path);
    expect(depthOf(tree, n(name))).toBe(path.split(" ").length);
  });

  it("has an empty path to the place before the first entry", () => {
    expect([pathTo(tree, -1).length, depthOf(tree, -1)]).toEqual([0, 0]);
  });

  it.each([
    ["d", "f", "b"],
    ["f", "g", "e"],
    ["b", "g", "b"],
    ["g", "b", "b"],
    ["c", "c", "c"],
    ["a", "g", "a"],
    ["d", "s", "-"],
    ["a", "r", "-"],
  ])("has as common ancestor of %s and %s: %s", (a, b, ancestor) => {
    expect(names([commonAncestor(tree, n(a), n(b))])).toBe(ancestor);
  });

  it("has nothing in common with the place before the first entry", () => {
    expect([commonAncestor(tree, n("d"), -1), commonAncestor(tree, -1, -1)]).toEqual([-1, -1]);
  });

  it.each([
    ["-", "a r"],
    ["a", "b"],
    ["b", "c e"],
    ["e", "f g"],
    ["d", ""],
  ])("has below %s, oldest first: %s", (name, children) => {
    expect(names(childrenOf(tree, n(name)))).toBe(children);
  });

  it("says what is on a path", () => {
    const onPathToG = ["a", "b", "c", "d", "e", "f", "g", "r"].filter((name) => isOnPath(tree, n(name), n("g")));
    expect([onPathToG, isOnPath(tree, -1, n("g")), isOnPath(tree, n("a"), -1)]).toEqual([
      ["a", "b", "e", "g"],
      true,
      false,
    ]);
  });
});

/** Parents by number, each smaller than its child; -1 for a root. */
const parents = fc
  .array(fc.nat(1_000_000), { minLength: 1, maxLength: 60 })
  .map((picks) => picks.map((pick, i) => (pick % (i + 1)) - 1));

describe("any tree", () => {
  it("answers what plain walks over the parents answer", () => {
    fc.assert(
      fc.property(parents, fc.nat(), fc.nat(), (list, x, y) => {
        const { tree } = treeOfRows(list.map((parent, i) => [`${i}`, parent < 0 ? null : `${parent}`]));
        const up = (from: number) => {
          const path: number[] = [];
          for (let at = from; at >= 0; at = list[at] as number) path.unshift(at);
          return path;
        };
        const [a, b] = [x % list.length, y % list.length];
        const shared = up(a).filter((at) => up(b).includes(at));
        const children = list.flatMap((parent, i) => (parent === a ? [i] : []));
        expect({
          path: Array.from(pathTo(tree, a)),
          ancestor: commonAncestor(tree, a, b),
          isAbove: isOnPath(tree, a, b),
          children: childrenOf(tree, a),
          roots: childrenOf(tree, -1),
        }).toEqual({
          path: up(a),
          ancestor: shared.at(-1) ?? -1,
          isAbove: up(b).includes(a),
          children,
          roots: list.flatMap((parent, i) => (parent < 0 ? [i] : [])),
        });
      }),
      { numRuns: 500 },
    );
  });
});
