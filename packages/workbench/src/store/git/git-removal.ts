/**
 * Whether a session was removed, decided by marks in the refs of all replicas. Marks are only ever added. Two machines
 * may add one at the same moment, so each readmission names the removal it reverts.
 *
 *     removed-<stamp>-n       removed
 *     readmitted-<stamp>-n    that removal no longer counts
 *     removed-<stamp>, readmitted-<other stamp>    from earlier versions, which counted them
 */

import { stamp } from "./git-files.js";
import type { TreeFile } from "./git-import.js";

const REMOVED = "removed-";
const READMITTED = "readmitted-";
/** Distinguishes marks from those of earlier versions. */
const NAMED = "-n";

/** Names of the marks among the files of a session. */
export function marksAmong(files: readonly TreeFile[]): readonly string[] {
  const names = files.map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
  return names.filter((name) => name.startsWith(REMOVED) || name.startsWith(READMITTED));
}

export function isRemovedBy(marks: readonly string[]): boolean {
  const { open, counted } = stateOf(marks);
  return open.some((one) => one.endsWith(NAMED)) || open.length > counted;
}

export function removalMark(): string {
  return `${REMOVED}${stamp()}${NAMED}`;
}

/** One mark for each open removal. */
export function readmittalMarks(marks: readonly string[]): readonly string[] {
  return stateOf(marks).open.map((one) => `${READMITTED}${one}`);
}

function stateOf(marks: readonly string[]) {
  const of = (kind: string) =>
    new Set(marks.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length)));
  const [removed, readmitted] = [of(REMOVED), of(READMITTED)];
  return {
    /** Removals without a readmission. */
    open: [...removed].filter((one) => !readmitted.has(one)),
    /** Readmissions that name no removal: each reverts one. */
    counted: [...readmitted].filter((one) => !removed.has(one)).length,
  };
}
