/**
 * A session as a tree of rows, as far as they are opened. Created when a tree is opened, and discarded with it. The
 * user's choices are in a `TreeState`; the rows follow from both.
 */
import { type Level, levelRows } from "./rows/level-rows.js";
import type { TreeRow, TreeRows } from "./rows/tree-row.js";
import { TreeReader } from "./tree-reader.js";
import type { TreeState } from "./tree-state.js";

/** The rows of a session's tree, made as they are needed. */
export class TreeModel extends TreeReader {
  #rows: TreeRows | undefined;
  #rowsFor: readonly unknown[] = [];
  #warm = 0;

  /** All open rows. Rebuilt only if something they depend on changed. */
  rows(state: TreeState): TreeRows {
    const { tree, leaf } = this.source;
    const { filter, narrowing, opened, more, stretches } = state;
    const search = narrowing === "matches" ? state.search : undefined;
    const growing = [tree.count, tree.revision, leaf, search?.matches.length];
    const wanted = [tree, search, filter, narrowing, opened, more, stretches, ...growing];
    if (this.#rows === undefined || wanted.some((part, i) => part !== this.#rowsFor[i])) {
      this.#rows = buildRows(this, state);
      this.#rowsFor = wanted;
    }
    return this.#rows;
  }

  /**
   * Computes what the first use of a filter needs, in parts: each call does one part and returns whether there are
   * more. For idle moments between keys; nothing depends on it.
   */
  warmUp(): "more" | "done" {
    const parts = [
      () => this.source.tree.firstChildOf(-1),
      () => this.labelled,
      () => this.branches.subtreeOrder,
      () => this.labelledPlaces,
    ];
    parts[this.#warm]?.();
    this.#warm += 1;
    return this.#warm < parts.length ? "more" : "done";
  }
}

/** Builds the rows from a session and the user's choices. Each open branch is a level; levels are nested here. */
function buildRows(reader: TreeReader, state: TreeState): TreeRows {
  const rows: TreeRow[] = [];
  const isEmpty = reader.branches.count === 0 && (state.filter !== "all" || reader.source.tree.count === 0);
  if (isEmpty) return { rows, ...placesOf(rows) };
  const trunk: Level = { first: -1, end: reader.leafUnder(state), above: -1, rails: [] };
  // A search may open thousands of nested branches: an explicit stack instead of recursion (keeps I9).
  const stack = [{ rows: levelRows(reader, state, trunk), next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const row = top.rows[top.next++];
    if (row === undefined) stack.pop();
    else {
      rows.push(row);
      if (row.kind === "side" && row.open)
        stack.push({ rows: levelRows(reader, state, insideOf(reader, row)), next: 0 });
    }
  }
  return { rows, ...placesOf(rows) };
}

function insideOf(reader: TreeReader, side: TreeRow): Level {
  const { branches } = reader;
  return {
    first: side.n,
    end: branches.tipOf(branches.branchOf(side.n)),
    above: sharedAbove(reader, side),
    rails: [...side.rails, !side.last],
  };
}

/**
 * The nearest entry above that is not the branch's own. Bookkeeping between a fork point and its branches may belong to
 * several:
 *
 *     p ─ label ─ a       the label is shown on the path, otherwise with the oldest branch
 *             └─ b
 */
function sharedAbove({ source, branches }: TreeReader, side: TreeRow): number {
  const { tree } = source;
  if (tree.parentOf(side.n) === side.fork) return side.fork;
  const end = side.level < 0 ? source.leaf : branches.tipOf(branches.branchOf(side.level));
  const onPath = branches.childTowards(side.fork, end);
  const siblings = branches
    .laterChildrenOf(side.fork)
    .slice(0, MOST_SIBLINGS)
    .map((branch) => branches.firstOf(branch));
  siblings.push(branches.firstChildOf(side.fork));
  const older = siblings.filter((n) => n >= 0 && n < side.n).map((n) => tree.parentOf(n));
  const taken = new Set<number>();
  for (const start of [onPath < 0 ? end : tree.parentOf(onPath), ...older]) {
    for (let at = start; at >= 0 && at !== side.fork && !taken.has(at); at = tree.parentOf(at)) taken.add(at);
  }
  let above = tree.parentOf(side.n);
  while (above !== side.fork && above >= 0 && !taken.has(above)) above = tree.parentOf(above);
  return above;
}

/** Of a hundred thousand branches at one fork, not all are checked. */
const MOST_SIBLINGS = 50;

function placesOf(rows: readonly TreeRow[]): Pick<TreeRows, "places" | "entries"> {
  const places = new Map<string, number>();
  const entries = new Map<number, number>();
  for (const [place, row] of rows.entries()) {
    places.set(row.key, place);
    if (row.kind === "entry" || row.kind === "here") entries.set(row.n, place);
    // While its branch is folded, or a filter hides it, the first entry of a branch only has the branch's row.
    else if (row.kind === "side" && !entries.has(row.n)) entries.set(row.n, place);
  }
  return { places, entries };
}
