/** Whole-tree passes for files with entries out of order. Walks up, never recurses (keeps I9). */
import { isMark, type Kind } from "../entry/index.js";

/** The parent would close a cycle: drawn as a root. */
const CYCLE = -3;

/**
 * Walks up from every entry once. An entry whose parent was met on the same walk closes a cycle: it becomes a root.
 *
 *     a → b → c → a        becomes        c → … cut …, a → b → c
 *
 * Returns the entries that were cut.
 */
export function cutCycles(parents: Int32Array, count: number): number[] {
  const seen = new Int32Array(count);
  const cut: number[] = [];
  for (let start = 0; start < count; start++) {
    for (let n = start; n >= 0 && seen[n] === 0; n = parents[n] as number) {
      seen[n] = start + 1;
      const parent = parents[n] as number;
      if (parent < 0 || seen[parent] !== start + 1) continue;
      parents[n] = CYCLE;
      cut.push(n);
    }
  }
  return cut;
}

interface MarkColumns {
  readonly parents: Int32Array;
  readonly kinds: Uint8Array;
  /** Output: for each entry, the nearest mark at or above it, or -1. */
  readonly marks: Int32Array;
  readonly count: number;
}

/** Computes the marks of all entries, including those whose parents come later in the file. */
export function markAll({ parents, kinds, marks, count }: MarkColumns): void {
  const done = new Uint8Array(count);
  const walk: number[] = [];
  for (let start = 0; start < count; start++) {
    for (let n = start; n >= 0 && done[n] === 0; n = parents[n] as number) {
      walk.push(n);
      done[n] = 1;
    }
    for (let n = walk.pop(); n !== undefined; n = walk.pop()) {
      const parent = parents[n] as number;
      if (isMark(kinds[n] as Kind)) marks[n] = n;
      else marks[n] = parent < 0 ? -1 : (marks[parent] as number);
    }
  }
}

export interface Unconnected {
  /** Entries whose parent is not in the file. */
  readonly missing: readonly number[];
  /** Entries that were cut from a cycle. */
  readonly cycles: readonly number[];
}
