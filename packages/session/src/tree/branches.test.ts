import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Kind } from "../entry/index.js";
import { branchCount, conversationParent, isConversation, tipsOf } from "./branches.js";
import { drawTree, treeOfRows } from "./tree-drawing.test-support.js";

describe("the branches of a tree", () => {
  it.each([
    ["one chain", "a-b-c", "c"],
    ["forks", "a-b-c-d; b-e-f; e-g", "d f g"],
    ["several roots", "a-b; r", "b r"],
  ])("of %s end at its tips", (_what, drawing, tips) => {
    const { tree, names } = drawTree(drawing);
    expect([names(tipsOf(tree)), branchCount(tree)]).toEqual([tips, tips.split(" ").length]);
  });

  it("are neither made nor ended by labels, names, state and positions", () => {
    const { tree, names, n } = drawTree("a-l-b-m-c; b-p; a-i; c-t", {
      l: Kind.label,
      m: Kind.modelChange,
      p: Kind.position,
      i: Kind.sessionInfo,
      t: Kind.thinkingLevelChange,
    });
    expect(names(tipsOf(tree))).toBe("c");
    expect(names(["b", "c", "t", "a"].map((name) => conversationParent(tree, n(name))))).toBe("a b c -");
  });

  it("fork at the conversation above, where the fork is at a note", () => {
    const { tree, names } = drawTree("a-x-b; x-c", { x: Kind.custom });
    expect(names(tipsOf(tree))).toBe("b c");
  });

  it("are the same if children are before their parents in the file", () => {
    const { tree, names } = treeOfRows([
      ["c", "b"],
      ["d", "b"],
      ["b", "a"],
      ["a", null],
    ]);
    tree.settle();
    expect(names(tipsOf(tree))).toBe("c d");
  });

  it("of nothing are none", () => {
    const { tree } = treeOfRows([]);
    expect([tipsOf(tree), branchCount(tree)]).toEqual([[], 0]);
  });
});

it.each([
  [Kind.message, true],
  [Kind.compaction, true],
  [Kind.branchSummary, true],
  [Kind.customMessage, true],
  [Kind.modelChange, false],
  [Kind.contextEdit, false],
  [Kind.custom, false],
  [Kind.position, false],
  [Kind.label, false],
  [Kind.unreadable, false],
  [Kind.other, false],
])("an entry of kind %d is conversation: %s", (kind, answer) => {
  expect(isConversation(kind)).toBe(answer);
});

const rows = fc.array(fc.record({ pick: fc.nat(1_000_000), isNote: fc.boolean() }), { maxLength: 50 });

it("the tips of any tree are the messages that are not the parent of a message", () => {
  fc.assert(
    fc.property(rows, (list) => {
      const kinds: Record<string, Kind> = {};
      const drawn = list.map(({ pick, isNote }, i): [string, string | null] => {
        if (isNote) kinds[`${i}`] = Kind.custom;
        const parent = (pick % (i + 1)) - 1;
        return [`${i}`, parent < 0 ? null : `${parent}`];
      });
      const { tree } = treeOfRows(drawn, kinds);
      const conversation = list.flatMap(({ isNote }, i) => (isNote ? [] : [i]));
      const parents = new Set(conversation.map((n) => conversationParent(tree, n)));
      expect(tipsOf(tree)).toEqual(conversation.filter((n) => !parents.has(n)));
    }),
    { numRuns: 300 },
  );
});
