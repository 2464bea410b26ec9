/** The rows of a tree, one line each, independent of the width of the screen. */

/**
 * `entry`: an entry. `side`: a branch that starts from the path, folded or open. `more`: older branches of the same
 * fork. `earlier` and `later`: hidden parts of the same path above or below. `here`: the leaf, if its entry has no row.
 * `end`: the end of an open branch. `missing`: above a part whose parent is not in the file.
 */
export type TreeRowKind = "entry" | "side" | "more" | "earlier" | "later" | "end" | "here" | "missing";

export interface TreeRow {
  readonly kind: TreeRowKind;
  /** Identifies the row among all rows, and stays the same as the session grows. */
  readonly key: string;
  /** The entry of the row: for a side branch its first entry, for an end the tip, for `more` the fork. -1 for none. */
  readonly n: number;
  /** First entry of the open branch that contains the row; -1 on the trunk. */
  readonly level: number;
  /** For each open branch around it, whether that branch's line continues below. Their number is the depth. */
  readonly rails: readonly boolean[];
  /** For `side` and `more`: the entry they start from; -1 is the start. */
  readonly fork: number;
  /** Whether a side branch is open. */
  readonly open: boolean;
  /** For `side` and `more`: the last row of its fork, with only an end below. */
  readonly last: boolean;
  /** Hidden turns (or entries, see `counts`), hidden branches, tools in a turn, tools merged into this row. */
  readonly count: number;
  readonly counts: "turns" | "entries" | "tools" | "branches" | "none";
  /** For a row that represents a turn: its last entry. */
  readonly end?: number;
}

/** All open rows, from top to bottom. */
export interface TreeRows {
  readonly rows: readonly TreeRow[];
  /** Index of a row by its key. */
  readonly places: ReadonlyMap<string, number>;
  /** Index of an entry's own row by its number. */
  readonly entries: ReadonlyMap<number, number>;
}
