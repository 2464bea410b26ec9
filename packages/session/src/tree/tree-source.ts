/** A session as those who draw it see it: its index, and entries one at a time. */
import type { EntryId, SessionEntry } from "../entry/index.js";
import type { ResolvedLabel } from "./labels.js";
import type { TreeIndex } from "./tree-index.js";

export interface TreeSource {
  /** Grows; it is replaced only together with the whole source. */
  readonly tree: TreeIndex;
  /** Number of the leaf, or -1 before the first entry. Read it each time: it moves. */
  readonly leaf: number;
  readonly name: string | undefined;
  /** Parses on demand, so read only what is shown. Never throws: an unreadable line becomes an entry that says so. */
  entryAt(n: number): SessionEntry;
  /**
   * The line of an entry as it is in the file, one character per byte, if the source can provide it without parsing;
   * undefined for a line that does not hold the entry verbatim.
   */
  rawLineAt?(n: number): string | undefined;
  labelOf(n: number): ResolvedLabel | undefined;
  /** IDs of the labeled entries, if the source knows them without reading. */
  labelTargets?(): Iterable<EntryId>;
}
