/** The rows of a tree: what is drawn, one line each, before anyone says how wide the screen is. */

/**
 * `entry`: an entry. `side`: a branch that hangs from the path, folded or open. `more`: older branches of the same
 * fork. `earlier` and `later`: what is above or below on the same path, closed. `here`: the leaf, where its entry has
 * no row. `end`: the end of an open branch. `missing`: above a piece whose parent is not in the file.
 */
export type TreeRowKind = "entry" | "side" | "more" | "earlier" | "later" | "end" | "here" | "missing";

export interface TreeRow {
  readonly kind: TreeRowKind;
  /** Names the row among all rows, and stays the same as the session grows. */
  readonly key: string;
  /** The entry the row represents: of a side branch its first, of an end the tip, of `more` the fork. -1 for none. */
  readonly n: number;
  /** First entry of the open branch the row is in; -1 on the trunk. */
  readonly level: number;
  /** For each open branch around it, whether that one's line continues below. Their number is the depth. */
  readonly rails: readonly boolean[];
  /** Of `side` and `more`: the entry they hang from; -1 is the start. */
  readonly fork: number;
  /** Whether a side branch is open. */
  readonly open: boolean;
  /** Of `side` and `more`: the last of its fork, with nothing but an end below. */
  readonly last: boolean;
  /** Turns (or entries, see `counts`) omitted, branches omitted, tools in a turn, tools merged into this row. */
  readonly count: number;
  readonly counts: "turns" | "entries" | "tools" | "branches" | "none";
  /** Of a row that represents a turn: the last entry of it. */
  readonly end?: number;
}

/** Rows as far as they are opened, from top to bottom. */
export interface TreeRows {
  readonly rows: readonly TreeRow[];
  /** Place of a row by its key. */
  readonly places: ReadonlyMap<string, number>;
  /** Place of an entry's own row by its number. */
  readonly entries: ReadonlyMap<number, number>;
}
