/**
 * Branches by number, kept next to a tree and updated as it grows.
 *
 *     a ─ b ─ c ─ d          #1: a b c d      the first child keeps its parent's number, unless it is a sub-agent's
 *          ├─ e ─ f          #2: e f          each later child takes the next one
 *          └─ g              #3: g
 *
 * Numbers follow the order in which first entries were written, whatever their times, so they stay the same as the log
 * grows. Only conversation counts; a second root is a later child of the start. Uses typed arrays and one pass over
 * what is new; nothing is read and nothing recurses (keeps I8, I9).
 */
import { Role } from "../entry/index.js";
import { BranchTable } from "./branch-table.js";
import { isConversation } from "./branches.js";
import { enlarged } from "./enlarged.js";
import { PathSums } from "./path-sums.js";
import { SubtreeOrder } from "./subtree-order.js";
import type { TreeIndex } from "./tree-index.js";

const UNKNOWN = -2;
const NO_BRANCHES: readonly number[] = [];
const indexes = new WeakMap<TreeIndex, BranchIndex>();

/** The branches of a tree, up to date. There is one index per tree. */
export function branchIndexOf(tree: TreeIndex): BranchIndex {
  let index = indexes.get(tree);
  if (index === undefined) {
    index = new BranchIndex(tree);
    indexes.set(tree, index);
  }
  index.update();
  return index;
}

/** The branches of a tree, found once and kept up to date as entries are added. */
export class BranchIndex {
  readonly #tree: TreeIndex;
  #revision = -1;
  #built = 0;
  /** Conversation entry at or above, or -1. */
  #nearest = new Int32Array(0);
  #branch = new Int32Array(0);
  #firstChild = new Int32Array(0);
  readonly #sums = new PathSums();
  #firstRoot = -1;
  #table: BranchTable;
  #order: SubtreeOrder | undefined;

  constructor(tree: TreeIndex) {
    this.#tree = tree;
    this.#table = new BranchTable(tree.times);
  }

  /** Includes what was added. If damage moved known entries, everything is numbered again. */
  update(): void {
    const { count, revision } = this.#tree;
    if (revision !== this.#revision) this.#restart();
    if (count === this.#built) return;
    this.#order = undefined;
    this.#grow(this.#built, count);
    if (revision === 0) this.#includeOrdered(this.#built, count);
    else this.#include(this.#built, count);
    this.#built = count;
  }

  /** As long as there are no irregularities, every parent comes before its children, so one pass is enough. */
  #includeOrdered(from: number, count: number): void {
    for (let n = from; n < count; n++) {
      this.#findNearest(n);
      if (this.#nearest[n] === n) {
        if (this.#firstRoot < 0) this.#findFirstRoot(n);
        this.#assignBranch(n);
      }
      const parent = this.#tree.parentOf(n);
      this.#sums.count(this.#tree, n, parent);
      if (this.#nearest[n] === n) this.#joinBranch(n, parent);
    }
  }

  #include(from: number, count: number): void {
    for (let n = from; n < count; n++) this.#findNearest(n);
    if (this.#firstRoot < 0) this.#findFirstRoot(from);
    for (let n = from; n < count; n++) if (this.#nearest[n] === n) this.#assignBranch(n);
    for (let n = from; n < count; n++) if (!this.#sums.isCounted(n)) this.#count(n);
  }

  /** The number of branches; they are numbered from 1. */
  get count(): number {
    return this.#table.count;
  }

  /** Prompts in the whole session. */
  get turns(): number {
    return this.#sums.allTurns;
  }

  /** The branch of an entry. Bookkeeping belongs to the branch of the conversation above it. */
  branchOf(n: number): number {
    const at = n < 0 ? -1 : (this.#nearest[n] as number);
    return at < 0 ? 1 : (this.#branch[at] as number);
  }

  /** First conversation entry of a branch. */
  firstOf(branch: number): number {
    return this.#table.firstOf(branch);
  }

  /** The conversation entry that a branch starts from; -1 is the start. */
  forkPointOf(branch: number): number {
    return this.conversationParentOf(this.firstOf(branch));
  }

  /** The branch that a branch starts from; 0 for the first. */
  parentBranchOf(branch: number): number {
    return branch <= 1 ? 0 : this.branchOf(this.forkPointOf(branch));
  }

  /** The last entry of a branch, along its own number. */
  tipOf(branch: number): number {
    return this.#table.tipOf(branch);
  }

  /** Prompts in the branch itself. */
  turnsIn(branch: number): number {
    return this.turnsAt(this.tipOf(branch)) - this.turnsAt(this.forkPointOf(branch));
  }

  /** Prompts in the branch and in all branches below it. */
  turnsBelow(branch: number): number {
    return this.#table.sumBelow(branch, {
      own: (b) => this.turnsIn(b),
      parent: (b) => this.parentBranchOf(b),
      depth: (b) => this.depthAt(this.firstOf(b)),
    });
  }

  /** Nearest conversation entry at or above `n`, or -1. */
  conversationAt(n: number): number {
    return n < 0 ? -1 : (this.#nearest[n] as number);
  }

  /** Nearest conversation entry above `n`, or -1. */
  conversationParentOf(n: number): number {
    const parent = this.#tree.parentOf(n);
    return parent < 0 ? -1 : (this.#nearest[parent] as number);
  }

  /** The first-written conversation child of `n`, which keeps its number, or -1. The first root for -1. */
  firstChildOf(n: number): number {
    return n < 0 ? this.#firstRoot : (this.#firstChild[n] as number);
  }

  /** Numbers of the branches that start at `n`: its later children, by time. The later roots for -1. */
  laterChildrenOf(n: number): readonly number[] {
    return this.#table.startingAt(n) ?? NO_BRANCHES;
  }

  /** The entries at which branches start; -1 is the start. */
  get forks(): Iterable<number> {
    return this.#table.forks;
  }

  isFork(n: number): boolean {
    return this.#table.isForkAt(n);
  }

  /** Prompts on the path to `n`, inclusive. */
  turnsAt(n: number): number {
    return this.#sums.turnsAt(n);
  }

  /** Tool results on the path to `n`, inclusive. */
  toolsAt(n: number): number {
    return this.#sums.toolsAt(n);
  }

  /** Conversation entries on the path to `n`, inclusive. */
  depthAt(n: number): number {
    return this.#sums.depthAt(n);
  }

  /** Bytes of the conversation entries on the path to `n`, inclusive. */
  bytesAt(n: number): number {
    return this.#sums.bytesAt(n);
  }

  /** The deepest conversation entry on both paths, or -1. Steps from branch to branch, not from entry to entry. */
  commonAncestor(a: number, b: number): number {
    let x = this.conversationAt(a);
    let y = this.conversationAt(b);
    while (x >= 0 && y >= 0) {
      const [left, right] = [this.branchOf(x), this.branchOf(y)];
      if (left === right) return this.depthAt(x) <= this.depthAt(y) ? x : y;
      // The branch that starts deeper cannot hold the ancestor.
      if (this.depthAt(this.firstOf(left)) >= this.depthAt(this.firstOf(right))) x = this.forkPointOf(left);
      else y = this.forkPointOf(right);
    }
    return -1;
  }

  /** The conversation child of `at` on the path to `below`, or -1 if `below` is not below it. -1 is the start. */
  childTowards(at: number, below: number): number {
    for (let n = this.conversationAt(below); n >= 0 && n !== at; ) {
      const branch = this.branchOf(n);
      const first = this.firstOf(branch);
      // Within a branch the first child leads on; a branch that starts at `at` is itself the child.
      if (at >= 0 && this.branchOf(at) === branch)
        return this.depthAt(at) < this.depthAt(n) ? this.firstChildOf(at) : -1;
      n = this.forkPointOf(branch);
      if (n === at) return first;
    }
    return -1;
  }

  /**
   * The positions of all entries in one walk, so that testing for "inside this branch" is a comparison. Computed on
   * first use.
   */
  get subtreeOrder(): SubtreeOrder {
    this.#order ??= new SubtreeOrder(this.#tree);
    return this.#order;
  }

  #restart(): void {
    this.#revision = this.#tree.revision;
    this.#built = 0;
    this.#firstRoot = -1;
    this.#table = new BranchTable(this.#tree.times);
    this.#order = undefined;
  }

  /** Most parents come before their children and are known by then. In a damaged file, walks up to a known one. */
  #findNearest(start: number): void {
    const tree = this.#tree;
    const nearest = this.#nearest;
    if (isConversation(tree.kindOf(start))) {
      nearest[start] = start;
      return;
    }
    const parent = tree.parentOf(start);
    if (parent < 0 || nearest[parent] !== UNKNOWN) {
      nearest[start] = parent < 0 ? -1 : (nearest[parent] as number);
      return;
    }
    const walk: number[] = [];
    let n = start;
    while (n >= 0 && nearest[n] === UNKNOWN && !isConversation(tree.kindOf(n))) {
      walk.push(n);
      n = tree.parentOf(n);
    }
    const found = n < 0 ? -1 : nearest[n] === UNKNOWN ? n : (nearest[n] as number);
    if (n >= 0) nearest[n] = found;
    for (const at of walk) nearest[at] = found;
  }

  /** The trunk is #1 even in a damaged file in which another branch comes first. */
  #findFirstRoot(from: number): void {
    for (let n = from; n < this.#tree.count; n++) {
      if (!isConversation(this.#tree.kindOf(n)) || this.conversationParentOf(n) >= 0) continue;
      this.#firstRoot = n;
      this.#branch[n] = this.#table.start(n, UNKNOWN);
      return;
    }
  }

  /** In file order: is this the child that keeps the number, or the start of a branch? */
  #assignBranch(n: number): void {
    if (n === this.#firstRoot) return;
    const parent = this.conversationParentOf(n);
    this.#branch[n] = 0;
    const keeps = parent >= 0 && (this.#firstChild[parent] as number) < 0 && !this.#startsSubAgent(n);
    if (keeps) this.#firstChild[parent] = n;
    else this.#branch[n] = this.#table.start(n, parent);
  }

  /** A sub-agent never keeps the number of the branch that started it, although it often writes first. */
  #startsSubAgent(n: number): boolean {
    for (let at = this.#tree.parentOf(n); at >= 0 && this.#nearest[at] !== at; at = this.#tree.parentOf(at)) {
      if (this.#tree.roleOf(at) === Role.subagent) return true;
    }
    return false;
  }

  /** Numbers and sums along the path, top down from the last counted entry. */
  #count(start: number): void {
    const walk = [start];
    for (let n = this.#tree.parentOf(start); !this.#sums.isCounted(n); n = this.#tree.parentOf(n)) walk.push(n);
    for (let n = walk.pop(); n !== undefined; n = walk.pop()) {
      const parent = this.#tree.parentOf(n);
      this.#sums.count(this.#tree, n, parent);
      if (this.#nearest[n] === n) this.#joinBranch(n, parent);
    }
  }

  #joinBranch(n: number, parent: number): void {
    if (this.#branch[n] === 0) this.#branch[n] = this.branchOf(parent);
    const branch = this.#branch[n] as number;
    if (this.depthAt(n) > this.depthAt(this.#table.tipOf(branch))) this.#table.setTip(branch, n);
  }

  #grow(from: number, count: number): void {
    if (count > this.#nearest.length) {
      const size = Math.max(count, this.#nearest.length * 2, 64);
      this.#nearest = enlarged(this.#nearest, new Int32Array(size));
      this.#branch = enlarged(this.#branch, new Int32Array(size));
      this.#firstChild = enlarged(this.#firstChild, new Int32Array(size));
    }
    this.#nearest.fill(UNKNOWN, from, count);
    this.#firstChild.fill(-1, from, count);
    this.#sums.expect(from, count);
  }
}
