/** Groups copies that follow each other directly: a cherry-pick of a whole turn writes several records. */
import type { EntryId, SessionEntry } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";

/** The `customType` of the record above copies; see the agent's cherry-pick. */
const ORIGIN_TYPE = "bough.cherry-pick";

interface CopiesOrigin {
  readonly merge: boolean;
  /** The number of copies below the record. */
  readonly count: number;
  /** The tip of the source branch, or the last of the copied entries. */
  readonly sourceId: EntryId | undefined;
}

/** The data of a record about the copies below it; undefined for any other entry. */
export function copiesOrigin(entry: SessionEntry): CopiesOrigin | undefined {
  if (entry.type !== "custom" || entry.customType !== ORIGIN_TYPE || !isRecord(entry.data)) return undefined;
  const { via, sourceIds, tipId } = entry.data;
  const ids = Array.isArray(sourceIds) ? sourceIds.filter((id): id is string => typeof id === "string") : [];
  return { merge: via === "merge", count: ids.length, sourceId: typeof tipId === "string" ? tipId : ids.at(-1) };
}

export interface CopiesRun {
  /** The copies of another record of the same branch end right above, so one line covers all of them. */
  readonly continues: boolean;
  /** Copies from this record to the end of the run. */
  readonly count: number;
  /** Whether a further copy would belong to the run. */
  readonly atEnd: boolean;
}

/** Longer runs are shown in parts. */
const FAR = 400;

/**
 * `entryAt(0)` is the record, -1 is above it and 1 below.
 *
 *     record(1) a record(2) b c record(1) d      is one run of four
 */
export function copiesRun(
  entryAt: (offset: number) => SessionEntry | undefined,
  nameOf: (id: EntryId) => string | undefined,
): CopiesRun {
  const originAt = (offset: number): CopiesOrigin | undefined => {
    const entry = entryAt(offset);
    return entry === undefined ? undefined : copiesOrigin(entry);
  };
  const nameIn = ({ sourceId }: CopiesOrigin) => (sourceId === undefined ? undefined : nameOf(sourceId));
  const own = originAt(0);
  if (own === undefined) return { continues: false, count: 0, atEnd: false };
  const isSame = (other: CopiesOrigin) => other.merge === own.merge && nameIn(other) === nameIn(own);
  let above: CopiesOrigin | undefined;
  let up = -1;
  for (; up > -FAR && above === undefined && entryAt(up) !== undefined; up--) above = originAt(up);
  // The loop went one past the record it found.
  const continues = above !== undefined && -(up + 1) === above.count + 1 && isSame(above);
  let { count } = own;
  let below = own.count + 1;
  for (let next = originAt(below); below < FAR && next !== undefined && isSame(next); next = originAt(below)) {
    count += next.count;
    below += next.count + 1;
  }
  return { continues, count, atEnd: entryAt(below) === undefined };
}
