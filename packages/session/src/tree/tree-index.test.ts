import { describe, expect, it } from "vitest";
import { Kind, Role } from "../entry/index.js";
import { childrenOf, pathTo } from "./paths.js";
import { type DrawnTree, drawTree, treeOfRows } from "./tree-drawing.test-support.js";
import { TreeIndex } from "./tree-index.js";

const message = { kind: Kind.message, role: Role.user, offset: 0, length: 1 };

/** The whole tree as `parent>child` pairs in file order, roots as `>child`. */
function shape({ tree, names }: DrawnTree): string {
  const pairs: string[] = [];
  for (let n = 0; n < tree.count; n++) {
    const parent = tree.parentOf(n);
    pairs.push(`${parent < 0 ? "" : names([parent])}>${names([n])}`);
  }
  return pairs.join(" ");
}

describe("children", () => {
  it("are in the order they were written, including those added after the first call", () => {
    const { tree, n, names } = drawTree("a-b; a-c");
    expect(names(childrenOf(tree, n("a")))).toBe("b c");
    for (const [id, parent] of [
      ["d", "a"],
      ["e", "b"],
      ["r", null],
      ["f", "a"],
    ] as const)
      tree.add(id, parent, message);
    expect([names(childrenOf(tree, n("a"))), names(childrenOf(tree, n("b"))), names(childrenOf(tree, -1))]).toEqual([
      "b c d f",
      "e",
      "a r",
    ]);
  });

  it("are found below entries beyond any first guess of the size", () => {
    const { tree, n } = drawTree("root");
    childrenOf(tree, -1);
    for (let i = 0; i < 1000; i++) tree.add(`${i}`, i % 2 === 0 ? "root" : `${i - 1}`, message);
    expect([childrenOf(tree, n("root")).length, childrenOf(tree, n("998")), childrenOf(tree, n("999"))]).toEqual([
      500,
      [n("999")],
      [],
    ]);
  });
});

describe("damaged parents", () => {
  it("a parent that comes later is connected, and the path goes through it", () => {
    const drawn = treeOfRows([
      ["c", "b"],
      ["b", "a"],
      ["a", null],
    ]);
    const { tree, n, names } = drawn;
    expect(tree.settle()).toEqual({ missing: [], cycles: [] });
    expect([shape(drawn), names(pathTo(tree, n("c")))]).toEqual(["b>c a>b >a", "a b c"]);
  });

  it("a parent that never comes leaves a root that names it", () => {
    const drawn = treeOfRows([
      ["a", null],
      ["b", "gone"],
      ["c", "b"],
    ]);
    const { tree, n } = drawn;
    expect([tree.settle(), tree.hasMissing, tree.missingParentOf(n("b")), shape(drawn)]).toEqual([
      { missing: [n("b")], cycles: [] },
      true,
      "gone",
      ">a >b b>c",
    ]);
  });

  it("a parent that comes with a later stretch is connected then", () => {
    const drawn = treeOfRows([
      ["a", null],
      ["c", "b"],
    ]);
    drawn.tree.settle();
    drawn.tree.add("b", "a", message);
    expect([drawn.tree.settle(), drawn.tree.hasMissing, shape(drawn)]).toEqual([
      { missing: [], cycles: [] },
      false,
      ">a b>c a>b",
    ]);
    expect(drawn.names(childrenOf(drawn.tree, -1))).toBe("a");
  });

  it("an entry that is its own parent is a cycle of one", () => {
    const drawn = treeOfRows([
      ["a", null],
      ["b", "b"],
      ["c", "b"],
    ]);
    const { cycles, missing } = drawn.tree.settle();
    expect([drawn.names(cycles), drawn.names(missing), shape(drawn)]).toEqual(["b", "", ">a >b b>c"]);
  });

  it.each([
    [
      "two",
      [
        ["a", "b"],
        ["b", "a"],
      ],
      ">b b>a",
    ],
    [
      "three",
      [
        ["a", "b"],
        ["b", "c"],
        ["c", "a"],
      ],
      ">c b>a c>b",
    ],
    [
      "two, with a tail",
      [
        ["t", "a"],
        ["a", "b"],
        ["b", "a"],
        ["u", "b"],
      ],
      "a>t b>a >b b>u",
    ],
  ] as const)("a cycle of %s is cut once, and every entry can be reached", (_, rows, expected) => {
    const drawn = treeOfRows(rows);
    const { cycles } = drawn.tree.settle();
    expect(cycles.length).toBe(1);
    const sorted = (text: string) => text.split(" ").sort();
    expect(sorted(shape(drawn))).toEqual(sorted(expected));
    const reached = new Set<number>();
    const open = childrenOf(drawn.tree, -1);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      reached.add(at);
      for (const child of childrenOf(drawn.tree, at)) open.push(child);
    }
    expect(reached.size).toBe(rows.length);
  });

  it("a duplicate is a root of its own, has no children, is never the leaf, and leaves the first alone", () => {
    const drawn = treeOfRows([
      ["a", null],
      ["b", "a"],
      ["a", "b"],
      ["c", "a"],
      ["b", "c"],
    ]);
    const { tree, n } = drawn;
    expect([shape(drawn), n("a"), n("b"), tree.loadedLeaf]).toEqual([">a a>b >a a>c >b", 0, 1, n("c")]);
    expect(childrenOf(tree, 2)).toEqual([]);
  });

  it("the record of a position has no children", () => {
    const drawn = treeOfRows(
      [
        ["a", null],
        ["p", "a"],
        ["b", "p"],
      ],
      { p: Kind.position },
    );
    expect([drawn.names(drawn.tree.settle().missing), shape(drawn)]).toEqual(["b", ">a a>p >b"]);
  });
});

describe("marks", () => {
  const kinds = { m: Kind.modelChange, k: Kind.compaction, e: Kind.contextEdit };

  it("are the nearest state, compaction or edit at or above each entry", () => {
    const { tree, n, names } = drawTree("a-m-b-k-c; b-d; a-e", kinds);
    expect(names(["a", "m", "b", "k", "c", "d", "e"].map((name) => tree.markAt(n(name))))).toBe("- m m k k m e");
  });

  it("are right if parents come later in the file", () => {
    const { tree, n, names } = treeOfRows(
      [
        ["c", "k"],
        ["k", "m"],
        ["m", null],
      ],
      kinds,
    );
    tree.settle();
    expect(names(["c", "k", "m"].map((name) => tree.markAt(n(name))))).toBe("k k m");
  });

  it("pass over an entry that turned out to be unreadable, until its content is found", () => {
    const { tree, n, names } = drawTree("a-m-k-c", kinds);
    tree.setUnreadable(n("k"));
    expect([names([tree.markAt(n("c"))]), tree.kindOf(n("k"))]).toEqual(["m", Kind.unreadable]);
    tree.revive(n("k"), { kind: Kind.compaction, role: Role.none, offset: 900, length: 5 });
    expect([names([tree.markAt(n("c"))]), tree.offsetOf(n("k")), tree.lengthOf(n("k"))]).toEqual(["k", 900, 5]);
  });
});

describe("the leaf", () => {
  it("leaves an entry that turned out to be unreadable for the one before it in the file", () => {
    const { tree, n } = drawTree("a-b; a-c");
    tree.setUnreadable(n("c"));
    expect(tree.loadedLeaf).toBe(n("b"));
    tree.setUnreadable(n("b"));
    tree.setUnreadable(n("a"));
    expect(tree.loadedLeaf).toBe(-1);
  });

  it("comes back with an entry whose content is found", () => {
    const { tree, n } = drawTree("a-b");
    tree.setUnreadable(n("b"));
    expect(tree.loadedLeaf).toBe(n("a"));
    tree.revive(n("b"), { ...message, offset: 500 });
    expect(tree.loadedLeaf).toBe(n("b"));
  });

  it("follows the order of the file if entries were found out of order", () => {
    const { tree, n } = drawTree("a-b");
    // Found inside the line of a, before b.
    tree.add("hidden", "a", { ...message, offset: 50 });
    tree.findLeafAgain();
    expect(tree.loadedLeaf).toBe(n("b"));
    tree.add("c", "b", { ...message, offset: 900 });
    expect(tree.loadedLeaf).toBe(n("c"));
  });

  it("is the entry that is not in the file yet, after all that are", () => {
    const { tree, n } = drawTree("a-b");
    tree.add("waiting", "b", { ...message, offset: -1 });
    tree.findLeafAgain();
    expect(tree.loadedLeaf).toBe(n("waiting"));
  });
});

it("lists labels, names and the latest compaction as they come", () => {
  const { tree, names } = drawTree("a-l-k-i-j-b-x", {
    l: Kind.label,
    x: Kind.label,
    k: Kind.compaction,
    j: Kind.compaction,
    i: Kind.sessionInfo,
  });
  expect([names(tree.labelEntries), names(tree.nameEntries), names([tree.latestCompaction])]).toEqual([
    "l x",
    "i",
    "j",
  ]);
});

it("is empty at first", () => {
  const tree = new TreeIndex();
  expect([tree.count, tree.loadedLeaf, tree.latestCompaction, childrenOf(tree, -1), tree.settle()]).toEqual([
    0,
    -1,
    -1,
    [],
    { missing: [], cycles: [] },
  ]);
});
