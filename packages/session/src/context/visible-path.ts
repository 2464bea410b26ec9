import type { PathMarks } from "./path-marks.js";
import type { PathSource } from "./path-source.js";

/**
 * Numbers of the entries that can be shown, oldest first: the whole path, or with a compaction the entries it keeps,
 * the compaction itself, and everything after it.
 *
 *     root - a - b - c - compaction(keeps from b) - d*    ->    b c compaction d
 *
 * A compaction keeps nothing if it names itself or an entry that is not above it; a reset never keeps anything. Walks
 * numbers only. The part above the first kept entry is never visited, except to find out that the anchor is not there.
 */
export function visiblePath(source: PathSource, marks: PathMarks): number[] {
  const path: number[] = [];
  for (let n = source.leaf; n >= 0; n = source.parentOf(n)) {
    path.push(n);
    if (n !== marks.compactionNumber) continue;
    for (const kept of keptAbove(source, marks)) path.push(kept);
    break;
  }
  return path.reverse();
}

/** From the compaction's parent up to its anchor. */
function keptAbove(source: PathSource, marks: PathMarks): number[] {
  const anchorId: unknown = marks.compaction?.firstKeptEntryId;
  const anchor = typeof anchorId === "string" ? source.numberOf(anchorId) : -1;
  // Known to keep nothing, so there is no need to walk to the root.
  if (anchor < 0 || anchor === marks.compactionNumber) return [];
  const kept: number[] = [];
  for (let n = source.parentOf(marks.compactionNumber); n >= 0; n = source.parentOf(n)) {
    kept.push(n);
    if (n === anchor) return kept;
  }
  return [];
}
