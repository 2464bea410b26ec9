/** A session as those who draw it see it: its index, and entries one at a time. */
import type { EntryId, SessionEntry } from "../entry/index.js";
import type { ResolvedLabel } from "./labels.js";
import type { TreeIndex } from "./tree-index.js";

export interface TreeSource {
  /** Grows; it is replaced only together with the whole source. */
  readonly tree: TreeIndex;
  /** Number of the leaf, or -1 before the first entry. Asked each time: it moves. */
  readonly leaf: number;
  readonly name: string | undefined;
  /** Parses on demand: ask only for what is shown. Never throws: an unreadable line is an entry that says so. */
  entryAt(n: number): SessionEntry;
  /**
   * The line of an entry as it is in the file, one character for each byte, where a source can give it without parsing;
   * undefined for a line that does not hold the entry as it is.
   */
  rawLineAt?(n: number): string | undefined;
  labelOf(n: number): ResolvedLabel | undefined;
  /** Ids of the entries that have a label, where the source knows them without reading. */
  labelTargets?(): Iterable<EntryId>;
}
