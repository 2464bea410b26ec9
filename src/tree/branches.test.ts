import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Kind } from "../entry/index.js";
import { branchCount, conversationParent, forkPointsOf, isConversation, segmentsOf, tipsOf } from "./branches.js";
import { type DrawnTree, drawTree, treeOfRows } from "./tree-drawing.test-support.js";

function segments({ tree, names }: DrawnTree): string[] {
  return segmentsOf(tree).map(({ first, last, from, length }) => `${names([from, first, last])} ${length}`);
}

describe("the branches of a tree", () => {
  it("of one chain are one segment, one tip and no fork", () => {
    const drawn = drawTree("a-b-c");
    const { tree, names } = drawn;
    expect([names(tipsOf(tree)), names(forkPointsOf(tree)), segments(drawn), branchCount(tree)]).toEqual([
      "c",
      "",
      ["- a c 3"],
      1,
    ]);
  });

  it("split at a fork point, and each goes from there to its tip", () => {
    const drawn = drawTree("a-b-c-d; b-e-f; e-g");
    const { tree, names } = drawn;
    expect([names(tipsOf(tree)), names(forkPointsOf(tree)), segments(drawn), branchCount(tree)]).toEqual([
      "d f g",
      "b e",
      ["- a b 2", "b c d 2", "b e e 1", "e f f 1", "e g g 1"],
      3,
    ]);
  });

  it("of several roots fork before the first entry", () => {
    const drawn = drawTree("a-b; r");
    const { tree, names } = drawn;
    expect([names(tipsOf(tree)), names(forkPointsOf(tree)), segments(drawn)]).toEqual([
      "b r",
      "-",
      ["- a b 2", "- r r 1"],
    ]);
  });

  it("are neither made nor ended by labels, names, state and positions", () => {
    const drawn = drawTree("a-l-b-m-c; b-p; a-i; c-t", {
      l: Kind.label,
      m: Kind.modelChange,
      p: Kind.position,
      i: Kind.sessionInfo,
      t: Kind.thinkingLevelChange,
    });
    const { tree, names, n } = drawn;
    expect([names(tipsOf(tree)), names(forkPointsOf(tree)), segments(drawn)]).toEqual(["c", "", ["- a c 3"]]);
    expect(names(["b", "c", "t", "a"].map((name) => conversationParent(tree, n(name))))).toBe("a b c -");
  });

  it("fork at the conversation above, where the fork is at a note", () => {
    const drawn = drawTree("a-x-b; x-c", { x: Kind.custom });
    expect([drawn.names(forkPointsOf(drawn.tree)), segments(drawn)]).toEqual(["a", ["- a a 1", "a b b 1", "a c c 1"]]);
  });

  it("are the same where children stand before their parents in the file", () => {
    const drawn = treeOfRows([
      ["c", "b"],
      ["d", "b"],
      ["b", "a"],
      ["a", null],
    ]);
    drawn.tree.settle();
    expect([segments(drawn), drawn.names(tipsOf(drawn.tree))]).toEqual([["b c c 1", "b d d 1", "- a b 2"], "c d"]);
  });

  it("of nothing are none", () => {
    const { tree } = treeOfRows([]);
    expect([tipsOf(tree), forkPointsOf(tree), segmentsOf(tree), branchCount(tree)]).toEqual([[], [], [], 0]);
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

describe("the branches of any tree", () => {
  it("cover its conversation once, and end at fork points and tips alone", () => {
    fc.assert(
      fc.property(rows, (list) => {
        const kinds: Record<string, Kind> = {};
        const drawn = list.map(({ pick, isNote }, i): [string, string | null] => {
          if (isNote) kinds[`${i}`] = Kind.custom;
          const parent = (pick % (i + 1)) - 1;
          return [`${i}`, parent < 0 ? null : `${parent}`];
        });
        const { tree } = treeOfRows(drawn, kinds);
        const forks = new Set(forkPointsOf(tree));
        const tips = new Set(tipsOf(tree));
        const covered: number[] = [];
        for (const { first, last, from, length } of segmentsOf(tree)) {
          const run: number[] = [];
          for (let at = last; at !== from; at = conversationParent(tree, at)) run.push(at);
          expect([run.length, run.at(-1)]).toEqual([length, first]);
          // A segment ends at a fork point or a tip, and has neither inside.
          expect(forks.has(last) || tips.has(last)).toBe(true);
          for (const at of run.slice(1)) expect(forks.has(at) || tips.has(at)).toBe(false);
          covered.push(...run);
        }
        const conversation = list.flatMap(({ isNote }, i) => (isNote ? [] : [i]));
        expect(covered.sort((a, b) => a - b)).toEqual(conversation);
      }),
      { numRuns: 300 },
    );
  });
});
