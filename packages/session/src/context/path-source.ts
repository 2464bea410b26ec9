import type { Kind, Role, SessionEntry } from "../entry/index.js";
import type { TreeIndex } from "../tree/index.js";

/**
 * A session seen from one leaf, for building a context without materializing a whole path.
 *
 * Entries are numbers. Everything except `entryAt` uses an index and is cheap. Following `parentOf` always ends: the
 * implementation has already cut cycles and turned entries with missing parents into roots.
 */
export interface PathSource {
  /** Number of the leaf entry, or -1 before the first entry. */
  readonly leaf: number;
  /** -1 at a root. */
  parentOf(n: number): number;
  kindOf(n: number): Kind;
  roleOf(n: number): Role;
  /** Nearest entry at or above `n` that `isMark` (state, compaction, context edit), or -1. */
  markAt(n: number): number;
  /** Parses on demand: expensive, called only for entries that matter. */
  entryAt(n: number): SessionEntry;
  /** Like `entryAt`, for many entries: neighbors are read together. Absent if that saves nothing. */
  entriesAt?(numbers: readonly number[]): readonly SessionEntry[];
  /** Bytes of an entry in the file. Needed if contexts are cached. */
  lengthOf?(n: number): number;
  /** -1 if unknown. */
  numberOf(id: string): number;
}

/** A path source over a session's index, as seen from `leaf`. */
export function treePathSource(tree: TreeIndex, leaf: number, entryAt: (n: number) => SessionEntry): PathSource {
  return {
    leaf,
    parentOf: (n) => tree.parentOf(n),
    kindOf: (n) => tree.kindOf(n),
    roleOf: (n) => tree.roleOf(n),
    markAt: (n) => tree.markAt(n),
    entryAt,
    numberOf: (id) => tree.ids.findText(id),
  };
}
