/**
 * The rows along one path: the trunk, or an open branch. A long path is shown in part, around an anchor.
 *
 *     ~ earlier      everything above the shown part
 *     ● ○ · ◆        its entries, each with the branches that start at it
 *     ~ later        everything below the shown part
 *     @ or ◇         the end of the path, and the branches that continue from there
 */
import { type BranchIndex, isConversation } from "../../../tree/index.js";
import type { TreeReader } from "../tree-reader.js";
import { END_STRETCH, type TreeState } from "../tree-state.js";
import { conversationAfter, type PlaceOnPath, shownUnder, turnEnd, turnStartsAt } from "./row-filter.js";
import { type InsideTest, insideTest, sideRows } from "./side-rows.js";
import type { TreeRow } from "./tree-row.js";

export interface Level {
  /** First entry of the open branch; -1 is the trunk. */
  readonly first: number;
  readonly end: number;
  /** The entry that the path starts from, which is not part of it. */
  readonly above: number;
  readonly rails: readonly boolean[];
}

/** Rows opened at a time. */
export const STRETCH_ROWS = 200;
/** Entries read at a time to find rows for a narrow filter. */
const STRETCH_READS = 200;
const NO_ROWS: readonly TreeRow[] = [];

export function levelRows(reader: TreeReader, state: TreeState, level: Level): readonly TreeRow[] {
  return new LevelRows(reader, state, level).make();
}

class LevelRows {
  readonly #reader: TreeReader;
  readonly #state: TreeState;
  readonly #level: Level;
  readonly #path: Int32Array;
  readonly #branches: BranchIndex;
  readonly #isShown: (place: PlaceOnPath) => boolean;
  readonly #inside: InsideTest | undefined;

  constructor(reader: TreeReader, state: TreeState, level: Level) {
    this.#reader = reader;
    this.#state = state;
    this.#level = level;
    this.#path = pathBetween(reader, level);
    this.#branches = reader.branches;
    this.#isShown = shownUnder(reader, state);
    this.#inside = insideTest(reader, state);
  }

  make(): readonly TreeRow[] {
    const path = this.#path;
    const stretch = this.#state.stretches.get(this.#level.first) ?? END_STRETCH;
    const anchored = stretch.anchor < 0 ? -1 : path.indexOf(stretch.anchor);
    const anchor = anchored < 0 ? path.length - 1 : anchored;
    const share = anchored < 0 ? STRETCH_ROWS : STRETCH_ROWS / 2;
    const above = this.#collect(anchor, -1, share + stretch.above * STRETCH_ROWS);
    const below = this.#collect(anchor + 1, 1, anchored < 0 ? 0 : share + stretch.below * STRETCH_ROWS);
    const rows: TreeRow[] = [];
    if (above.next >= 0) rows.push(...this.#earlier(above.next));
    else rows.push(...this.#start());
    for (const chunk of above.chunks.reverse()) rows.push(...chunk);
    for (const chunk of below.chunks) rows.push(...chunk);
    if (below.next < path.length) rows.push(...this.#later(below.next));
    rows.push(...this.#close(rows.some(({ kind, n }) => kind === "entry" && n === this.#level.end)));
    return markLast(rows, this.#level.end);
  }

  /** Rows of entries from a position up or down, until there are enough. */
  #collect(from: number, step: 1 | -1, most: number): { chunks: (readonly TreeRow[])[]; next: number } {
    const chunks: (readonly TreeRow[])[] = [];
    // When narrowed, nearly every entry may have to be read to find one row, so reading has its own limit.
    let reads =
      this.#state.narrowing === "none" ? Number.POSITIVE_INFINITY : STRETCH_READS * Math.ceil(most / STRETCH_ROWS);
    const marked = this.#marked();
    let count = 0;
    let at = from;
    for (; at >= 0 && at < this.#path.length && count < most && reads > 0; at += step, reads--) {
      if (marked !== undefined) at = nextMarked(this.#path, { marked, at, step });
      if (at < 0 || at >= this.#path.length) break;
      const chunk = this.#rowsAt(at);
      if (chunk.length === 0) continue;
      chunks.push(chunk);
      count += chunk.length;
    }
    return { chunks, next: at };
  }

  /**
   * With `labeled-only`, the entries that may have rows: labeled ones and forks. Nearly all entries of a long path are
   * neither and are skipped without reading. Undefined for other filters.
   */
  #marked(): Uint8Array | undefined {
    const { filter, narrowing } = this.#state;
    if (filter !== "labeled-only" || narrowing !== "none") return undefined;
    const marked = new Uint8Array(this.#reader.source.tree.count);
    for (const n of this.#reader.labelled) marked[n] = 1;
    for (const fork of this.#branches.forks) if (fork >= 0) marked[fork] = 1;
    return marked;
  }

  #rowsAt(at: number): readonly TreeRow[] {
    const hasRow = this.#hasRow(at);
    const hasRecords = this.#state.filter === "all" && this.#state.narrowing === "none";
    const isFork = this.#branches.isFork(this.#path[at] as number);
    // The common case for a long path under a filter that shows few entries.
    if (!hasRow && !hasRecords && !isFork) return NO_ROWS;
    const rows: TreeRow[] = [];
    if (hasRow) rows.push(this.#entryRow(at));
    if (hasRecords) rows.push(...this.#records(at));
    // Branches that start at the end of the path come after it.
    if (isFork && this.#conversationBelow(at) >= 0) rows.push(...this.#sides(this.#path[at] as number, at));
    return rows;
  }

  #records(at: number): readonly TreeRow[] {
    const onPath = this.#path[at + 1] ?? -1;
    const records = recordsBeside(this.#reader, this.#path[at] as number, onPath);
    return records.map((n) => this.#row({ kind: "entry", key: `e${n}`, n }));
  }

  #hasRow(at: number): boolean {
    return this.#isShown({ path: this.#path, at });
  }

  #entryRow(at: number): TreeRow {
    const n = this.#path[at] as number;
    const standsForTurn = this.#state.filter === "user-only" || this.#state.filter === "no-tools";
    if (!standsForTurn || !turnStartsAt(this.#reader, { path: this.#path, at }))
      return this.#row({ kind: "entry", key: `e${n}`, n });
    const branches = this.#branches;
    const end = this.#path[turnEnd(this.#reader, { path: this.#path, at })] as number;
    const count = branches.toolsAt(end) - branches.toolsAt(n);
    return this.#row({ kind: "entry", key: `e${n}`, n, count, counts: "tools", end });
  }

  /** Branches that start at an entry of the path. */
  #sides(fork: number, at: number): readonly TreeRow[] {
    const { rails, first } = this.#level;
    return sideRows(this.#reader, this.#state, {
      fork,
      onPath: this.#conversationBelow(at),
      rails,
      level: first,
      inside: this.#inside,
    });
  }

  /** The next conversation entry on the path after an index, or -1. */
  #conversationBelow(at: number): number {
    return conversationAfter(this.#reader, { path: this.#path, at });
  }

  #earlier(next: number): readonly TreeRow[] {
    const branches = this.#branches;
    const [n, above] = [this.#path[next] as number, this.#level.above];
    const turns = branches.turnsAt(n) - branches.turnsAt(above);
    const entries = branches.depthAt(n) - branches.depthAt(above);
    return this.#leftOut({ kind: "earlier", key: `a${this.#level.first}`, turns, entries });
  }

  #later(next: number): readonly TreeRow[] {
    const branches = this.#branches;
    const [end, last] = [this.#level.end, next < 1 ? this.#level.above : (this.#path[next - 1] as number)];
    const turns = branches.turnsAt(end) - branches.turnsAt(last);
    const entries = branches.depthAt(end) - branches.depthAt(last);
    return this.#leftOut({ kind: "later", key: `z${this.#level.first}`, turns, entries });
  }

  #leftOut(out: { kind: "earlier" | "later"; key: string; turns: number; entries: number }): readonly TreeRow[] {
    const { kind, key, turns, entries } = out;
    if (turns === 0 && entries === 0) return [];
    const counted =
      turns > 0 ? { count: turns, counts: "turns" as const } : { count: entries, counts: "entries" as const };
    return [this.#row({ kind, key, n: -1, ...counted })];
  }

  /** The rows before the first entry: other roots, or a notice that something is missing. */
  #start(): readonly TreeRow[] {
    if (this.#level.first >= 0 || this.#path.length === 0) return [];
    const root = this.#path[0] as number;
    const rows: TreeRow[] = [];
    if (this.#reader.source.tree.missingParentOf(root) !== undefined) {
      rows.push(this.#row({ kind: "missing", key: `p${root}`, n: root }));
    }
    const onPath = this.#conversationBelow(-1);
    // If there is no conversation on this path yet, all roots are shown below the leaf.
    if (onPath >= 0) rows.push(...this.#sides(-1, -1));
    return rows;
  }

  #close(hasLeafRow: boolean): readonly TreeRow[] {
    const { first, end, rails } = this.#level;
    // With prompts only, the row of the branch leads to its end as well.
    if (first >= 0)
      return this.#state.filter === "user-only" ? [] : [this.#row({ kind: "end", key: `x${first}`, n: end })];
    const rows: TreeRow[] = [];
    if (!hasLeafRow) rows.push(this.#row({ kind: "here", key: "@", n: end }));
    const fork = this.#branches.conversationAt(end);
    rows.push(...sideRows(this.#reader, this.#state, { fork, onPath: -1, rails, level: first, inside: this.#inside }));
    return rows;
  }

  #row(row: Pick<TreeRow, "kind" | "key" | "n"> & Partial<TreeRow>): TreeRow {
    const { first, rails } = this.#level;
    return { level: first, rails, fork: -1, open: false, last: false, count: 0, counts: "none", ...row };
  }
}

/** The first marked entry from an index on; off the path if there is none. A loop of its own, because it may go far. */
function nextMarked(path: Int32Array, from: { marked: Uint8Array; at: number; step: 1 | -1 }): number {
  const { marked, step } = from;
  let at = from.at;
  while (at >= 0 && at < path.length && marked[path[at] as number] === 0) at += step;
  return at;
}

/** Entries of a level from the top down. Uses only the index. */
function pathBetween({ source: { tree } }: TreeReader, { end, above }: Level): Int32Array {
  let length = 0;
  for (let n = end; n >= 0 && n !== above; n = tree.parentOf(n)) length += 1;
  const path = new Int32Array(length);
  for (let n = end, i = length - 1; i >= 0; n = tree.parentOf(n), i--) path[i] = n;
  return path;
}

/** A branch is drawn as the last one if only the end of the path, or nothing, is below it. */
function markLast(rows: readonly TreeRow[], end: number): readonly TreeRow[] {
  const marked = [...rows];
  const closing = marked.findLastIndex(
    ({ kind, n }) => kind === "here" || kind === "end" || (kind === "entry" && n === end),
  );
  for (const at of [closing - 1, marked.length - 1]) {
    const row = marked[at];
    if (row?.kind === "side" || row?.kind === "more") marked[at] = { ...row, last: true };
  }
  return marked;
}

/** The most records to show next to one entry. */
const MOST_RECORDS = 50;

/** Records next to an entry without conversation below them, oldest first, including everything below them. */
function recordsBeside({ source: { tree } }: TreeReader, n: number, onPath: number): number[] {
  const records: number[] = [];
  let looked = 0;
  for (let child = tree.firstChildOf(n); child >= 0 && looked < MOST_RECORDS; child = tree.nextSiblingOf(child)) {
    looked += 1;
    if (child === onPath || isConversation(tree.kindOf(child))) continue;
    const below = recordsBelow(tree, child, MOST_RECORDS - records.length);
    if (below !== undefined) records.push(...below);
  }
  return records;
}

type Tree = TreeReader["source"]["tree"];

/** The record and everything below it; undefined if that includes conversation, which makes it part of a branch. */
function recordsBelow(tree: Tree, record: number, most: number): number[] | undefined {
  const found: number[] = [];
  const open = [record];
  for (let at = open.pop(); at !== undefined && found.length < most; at = open.pop()) {
    if (isConversation(tree.kindOf(at))) return undefined;
    found.push(at);
    let child = tree.firstChildOf(at);
    for (let looked = 0; child >= 0 && looked < MOST_RECORDS; looked++, child = tree.nextSiblingOf(child))
      open.push(child);
  }
  return found.sort((a, b) => a - b);
}
