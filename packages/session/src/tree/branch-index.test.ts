import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Kind, Role } from "../entry/index.js";
import { type BranchIndex, branchIndexOf } from "./branch-index.js";
import { conversationParent, isConversation } from "./branches.js";
import { commonAncestor, isOnPath } from "./paths.js";
import { drawTree, treeOfRows } from "./tree-drawing.test-support.js";
import { TreeIndex } from "./tree-index.js";

const KINDS = [Kind.message, Kind.message, Kind.message, Kind.compaction, Kind.label, Kind.custom, Kind.unreadable];
const ROLES = [Role.user, Role.assistant, Role.toolResult];

describe("numbers of branches", () => {
  it("stay with the first child and go up with each later one, by age", () => {
    const { tree, n } = drawTree("a-b-c-d; b-e-f; c-g; e-h; z-y");
    const branches = branchIndexOf(tree);
    const numbers = Object.fromEntries([..."abcdefghzy"].map((name) => [name, branches.branchOf(n(name))]));
    expect(numbers).toEqual({ a: 1, b: 1, c: 1, d: 1, e: 2, f: 2, g: 3, h: 4, z: 5, y: 5 });
  });

  it("know where a branch starts, what it is attached to, where it ends, and which others start there", () => {
    const { tree, n, names } = drawTree("a-b-c-d; b-e-f; b-g; z");
    const branches = branchIndexOf(tree);
    const told = [1, 2, 3, 4].map((branch) =>
      names([branches.firstOf(branch), branches.forkPointOf(branch), branches.tipOf(branch)]),
    );
    expect(told).toEqual(["a - d", "e b f", "g b g", "z - z"]);
    expect(branches.laterChildrenOf(n("b"))).toEqual([2, 3]);
    expect(branches.laterChildrenOf(-1)).toEqual([4]);
    expect(names([branches.firstChildOf(n("b")), branches.firstChildOf(-1), branches.firstChildOf(n("d"))])).toBe(
      "c a -",
    );
  });

  it("do not change as the log grows", () => {
    const { tree, n } = drawTree("a-b-c");
    const before = branchIndexOf(tree);
    expect(before.count).toBe(1);
    const message = { kind: Kind.message, role: Role.user, offset: 0, length: 1 };
    tree.add("d", "b", message);
    tree.add("e", "c", message);
    tree.add("f", "d", message);
    const after = branchIndexOf(tree);
    expect(after).toBe(before);
    expect(["c", "d", "e", "f"].map((name) => after.branchOf(n(name)))).toEqual([1, 2, 1, 2]);
    expect([after.tipOf(1), after.tipOf(2)]).toEqual([n("e"), n("f")]);
  });

  it("are given again if a parent turns up late", () => {
    const drawn = treeOfRows([
      ["c", "b"],
      ["d", "b"],
      ["a", null],
      ["b", "a"],
      ["e", "a"],
    ]);
    expect(branchIndexOf(drawn.tree).count).toBe(4);
    drawn.tree.settle();
    const branches = branchIndexOf(drawn.tree);
    expect(["a", "b", "c", "d", "e"].map((name) => branches.branchOf(drawn.n(name)))).toEqual([1, 1, 1, 2, 3]);
  });

  it("count prompts in a branch and below it", () => {
    const { tree } = drawTree("a-b-c-d; b-e-f; e-g-h-i; z");
    const branches = branchIndexOf(tree);
    expect([1, 2, 3, 4].map((branch) => [branches.turnsIn(branch), branches.turnsBelow(branch)])).toEqual([
      [4, 10],
      [2, 5],
      [3, 3],
      [1, 1],
    ]);
  });
});

describe("any tree", () => {
  const rows = fc.array(
    fc.record({ up: fc.nat(12), kind: fc.nat(KINDS.length - 1), role: fc.nat(2), late: fc.nat(30) }),
    { maxLength: 60 },
  );

  it("has the numbers, counts and ancestors that a plain look at all entries gives", () => {
    fc.assert(
      fc.property(rows, fc.nat(60), (drawn, asked) => {
        const tree = new TreeIndex();
        for (const [i, row] of drawn.entries()) {
          // Now and then the parent comes later in the file, does not exist, or closes a cycle.
          const parent = row.late === 0 ? `${i + row.up}` : row.up === 0 ? null : `${i - row.up}`;
          const kind = KINDS[row.kind] as Kind;
          const role = kind === Kind.message ? (ROLES[row.role] as Role) : Role.none;
          tree.add(`${i}`, parent, { kind, role, offset: i * 10, length: 10 + i });
          if (i === asked) branchIndexOf(tree);
        }
        tree.settle();
        expect(seen(tree, branchIndexOf(tree))).toEqual(expected(tree));
      }),
    );
  });

  it("has each entry's subtree in one stretch", () => {
    fc.assert(
      fc.property(rows, (drawn) => {
        const tree = new TreeIndex();
        const message = { kind: Kind.message, role: Role.user, offset: 0, length: 1 };
        for (const [i, row] of drawn.entries()) tree.add(`${i}`, row.up === 0 ? null : `${i - row.up}`, message);
        const order = branchIndexOf(tree).subtreeOrder;
        for (let a = 0; a < tree.count; a++)
          for (let b = 0; b < tree.count; b++) expect(order.contains(a, b)).toBe(isOnPath(tree, a, b));
      }),
      { numRuns: 30 },
    );
  });
});

describe("large trees", () => {
  const message = { kind: Kind.message, role: Role.user, offset: 0, length: 1 };

  it("may be a chain of 200,000", () => {
    const tree = new TreeIndex();
    for (let i = 0; i < 200_000; i++) tree.add(`${i}`, i === 0 ? null : `${i - 1}`, message);
    const branches = branchIndexOf(tree);
    expect([branches.count, branches.tipOf(1), branches.turnsAt(199_999)]).toEqual([1, 199_999, 200_000]);
    expect(branches.subtreeOrder.endOf(0)).toBe(200_000);
  });

  it("may have 100,000 children of one parent", () => {
    const tree = new TreeIndex();
    tree.add("root", null, message);
    for (let i = 0; i < 100_000; i++) tree.add(`${i}`, "root", message);
    const branches = branchIndexOf(tree);
    expect([branches.count, branches.laterChildrenOf(0).length, branches.turnsBelow(1)]).toEqual([
      100_000, 99_999, 100_001,
    ]);
  });

  it("may fork at every step, each branch on the one before", () => {
    const tree = new TreeIndex();
    tree.add("0", null, message);
    for (let i = 1; i < 50_000; i++) {
      tree.add(`stop${i}`, `${i - 1}`, message);
      tree.add(`${i}`, `${i - 1}`, message);
    }
    const branches = branchIndexOf(tree);
    expect([branches.count, branches.turnsBelow(1)]).toEqual([50_000, 99_999]);
    expect(branches.commonAncestor(tree.count - 1, 1)).toBe(0);
  });
});

interface Seen {
  readonly branch: number;
  readonly firstChild: number;
  readonly later: readonly number[];
  readonly turns: number;
  readonly tools: number;
  readonly depth: number;
  readonly ancestor: number;
  readonly towards: number;
}

function seen(tree: TreeIndex, branches: BranchIndex): readonly (Seen | string)[] {
  const facts: (Seen | string)[] = [];
  for (let n = 0; n < tree.count; n++) {
    if (!isConversation(tree.kindOf(n))) continue;
    facts.push({
      branch: branches.branchOf(n),
      firstChild: branches.firstChildOf(n),
      later: branches.laterChildrenOf(n).map((branch) => branches.firstOf(branch)),
      turns: branches.turnsAt(n),
      tools: branches.toolsAt(n),
      depth: branches.depthAt(n),
      ancestor: branches.commonAncestor(n, tree.count - 1),
      towards: branches.childTowards(n, tree.count - 1),
    });
  }
  for (let branch = 1; branch <= branches.count; branch++) facts.push(`ends at ${branches.tipOf(branch)}`);
  return facts;
}

/** The same facts, computed by examining everything for each question. */
function expected(tree: TreeIndex): readonly (Seen | string)[] {
  const conversation: number[] = [];
  for (let n = 0; n < tree.count; n++) if (isConversation(tree.kindOf(n))) conversation.push(n);
  const childrenOf = (parent: number) => conversation.filter((n) => conversationParent(tree, n) === parent);
  const starts = childrenOf(-1).slice(0, 1);
  starts.push(...conversation.filter((n) => childrenOf(conversationParent(tree, n))[0] !== n));
  const branchOf = (n: number): number => {
    let at = n;
    while (!starts.includes(at)) at = conversationParent(tree, at);
    return starts.indexOf(at) + 1;
  };
  const pathOf = (n: number) => {
    const path: number[] = [];
    for (let at = n; at >= 0; at = tree.parentOf(at)) path.push(at);
    return path;
  };
  const countOf = (n: number, role: Role) =>
    pathOf(n).filter((at) => tree.kindOf(at) === Kind.message && tree.roleOf(at) === role).length;
  const nearest = (n: number) => pathOf(n).find((at) => isConversation(tree.kindOf(at))) ?? -1;
  const facts: (Seen | string)[] = conversation.map((n) => ({
    branch: branchOf(n),
    firstChild: childrenOf(n)[0] ?? -1,
    later: childrenOf(n).slice(1),
    turns: countOf(n, Role.user),
    tools: countOf(n, Role.toolResult),
    depth: pathOf(n).filter((at) => isConversation(tree.kindOf(at))).length,
    ancestor: nearest(commonAncestor(tree, n, nearest(tree.count - 1))),
    towards: childrenOf(n).find((child) => pathOf(tree.count - 1).includes(child)) ?? -1,
  }));
  for (const start of starts) {
    let tip = start;
    for (let next = childrenOf(tip)[0]; next !== undefined; next = childrenOf(tip)[0]) tip = next;
    facts.push(`ends at ${tip}`);
  }
  return facts;
}
