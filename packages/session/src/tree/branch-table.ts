/**
 * The data of each branch by its number: where it starts, where it ends, and which branches start at the same entry.
 */
import type { EntryTimes } from "./entry-times.js";

interface BranchSums {
  readonly own: (branch: number) => number;
  /** 0 for the first branch. */
  readonly parent: (branch: number) => number;
  /** Depth of its first entry: a branch is always deeper than the one it starts from. */
  readonly depth: (branch: number) => number;
}

export class BranchTable {
  readonly #times: EntryTimes;
  /** Slot 0 is unused: branches are numbered from 1. */
  readonly #firsts: number[] = [-1];
  readonly #tips: number[] = [-1];
  /** By the entry they start from; contains only forks. */
  readonly #starting = new Map<number, number[]>();
  /** Entries at which several branches start that may not be in time order. */
  readonly #unsorted = new Set<number>();
  #sums: readonly number[] | undefined;

  constructor(times: EntryTimes) {
    this.#times = times;
  }

  get count(): number {
    return this.#firsts.length - 1;
  }

  /**
   * Adds a branch with its first entry, as a later child of `parent`. The very first branch has no siblings: pass less
   * than -1.
   */
  start(first: number, parent: number): number {
    const branch = this.#firsts.push(first) - 1;
    this.#tips.push(-1);
    this.#sums = undefined;
    if (parent < -1) return branch;
    const siblings = this.#starting.get(parent);
    if (siblings === undefined) this.#starting.set(parent, [branch]);
    else {
      siblings.push(branch);
      this.#unsorted.add(parent);
    }
    return branch;
  }

  setTip(branch: number, n: number): void {
    this.#tips[branch] = n;
    this.#sums = undefined;
  }

  firstOf(branch: number): number {
    return this.#firsts[branch] ?? -1;
  }

  tipOf(branch: number): number {
    return this.#tips[branch] ?? -1;
  }

  /** The entries at which branches start; -1 is the start. */
  get forks(): Iterable<number> {
    return this.#starting.keys();
  }

  isForkAt(n: number): boolean {
    return this.#starting.has(n);
  }

  /** Branches that start at an entry as later children, oldest first by their times. */
  startingAt(n: number): readonly number[] | undefined {
    const branches = this.#starting.get(n);
    if (branches === undefined || !this.#unsorted.delete(n)) return branches;
    if (this.#times.areInFileOrder(this.firstOf(branches.at(-1) as number))) return branches;
    const firsts = branches.map((branch) => this.firstOf(branch));
    const oldest = this.#times.oldestFirst(firsts);
    // The usual case, which avoids looking up a hundred thousand branches one by one.
    if (oldest.every((first, i) => first === firsts[i])) return branches;
    const byFirst = new Map(firsts.map((first, i) => [first, branches[i] as number]));
    const sorted = oldest.map((first) => byFirst.get(first) as number);
    this.#starting.set(n, sorted);
    return sorted;
  }

  /** A sum over a branch and all branches below it, computed once for all branches. */
  sumBelow(branch: number, sums: BranchSums): number {
    this.#sums ??= this.#sumAll(sums);
    return this.#sums[branch] ?? 0;
  }

  #sumAll({ own, parent, depth }: BranchSums): readonly number[] {
    const sums = this.#firsts.map((_, branch) => (branch === 0 ? 0 : own(branch)));
    const order = [...sums.keys()].slice(1);
    const depths = order.map(depth);
    // Deepest first, so that each sum is complete before it is added to its parent; numbers may be in another order in
    // a damaged file.
    order.sort((a, b) => (depths[b - 1] as number) - (depths[a - 1] as number) || b - a);
    for (const branch of order) {
      const above = parent(branch);
      if (above > 0 && above !== branch) sums[above] = (sums[above] as number) + (sums[branch] as number);
    }
    return sums;
  }
}
