import { Kind, Role } from "@bough/session/entry/index.js";
import { inOneGo } from "@bough/session/log/index.js";
import { TreeIndex } from "@bough/session/tree/index.js";
import { describe, expect, test } from "vitest";
import { decodeColumn, encodeColumn } from "./columns.js";
import { addTo, treeColumns, treeFromColumns } from "./tree-columns.js";

function treeOf(entries: readonly (readonly [id: string, parentId: string | null])[]): TreeIndex {
  const tree = new TreeIndex();
  for (const [id, parentId] of entries) {
    addTo(tree, { id, parentId, kind: Kind.message, role: Role.user, length: id.length * 1000 });
  }
  tree.settle();
  return tree;
}

function shapeOf(tree: TreeIndex) {
  return Array.from({ length: tree.count }, (_, n) => ({
    id: tree.ids.textOf(n),
    parent: tree.parentOf(n),
    kind: tree.kindOf(n),
    role: tree.roleOf(n),
    length: tree.lengthOf(n),
    missing: tree.missingParentOf(n),
  }));
}

describe("a tree in columns", () => {
  test.each([
    ["nothing", []],
    [
      "a fork",
      [
        ["a", null],
        ["b", "a"],
        ["c", "b"],
        ["d", "a"],
        ["ä ü", "d"],
      ],
    ],
    [
      "a parent that is missing",
      [
        ["a", null],
        ["b", "gone"],
        ["c", "b"],
      ],
    ],
    [
      "a parent that comes later",
      [
        ["b", "a"],
        ["a", null],
      ],
    ],
    [
      "an id that stands twice, and one with a newline",
      [
        ["a", null],
        ["a", "a"],
        ["b\nc", "a"],
        ["d", "b\nc"],
      ],
    ],
    [
      "names of prototypes",
      [
        ["__proto__", null],
        ["constructor", "__proto__"],
      ],
    ],
  ] as const)("comes back the same: %s", (_name, entries) => {
    const tree = treeOf(entries);
    const read = treeFromColumns(JSON.parse(JSON.stringify(inOneGo(treeColumns(tree)))));
    expect(shapeOf(read)).toEqual(shapeOf(tree));
  });

  test("has ten thousand entries in one chain", () => {
    const tree = treeOf(Array.from({ length: 10_000 }, (_, n) => [`e${n}`, n === 0 ? null : `e${n - 1}`] as const));
    expect(shapeOf(treeFromColumns(inOneGo(treeColumns(tree))))).toEqual(shapeOf(tree));
  });
});

test("a column keeps every whole number", () => {
  const values = [0, 1, -1, 63, 64, -64, -65, 127, 128, 2 ** 31, -(2 ** 40), 2 ** 52];
  expect([...decodeColumn(inOneGo(encodeColumn(values)), values.length)]).toEqual(values);
});
