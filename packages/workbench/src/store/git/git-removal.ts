/**
 * Whether a session was removed, by marks in the refs of all replicas. Marks only come: two machines may set one at the
 * same moment, so each that lets a session in again names the removal it answers.
 *
 *     removed-<stamp>-n       removed
 *     readmitted-<stamp>-n    that removal does not count any more
 *     removed-<stamp>, readmitted-<other stamp>    of earlier versions: they were counted
 */

import { stamp } from "./git-files.js";
import type { TreeFile } from "./git-import.js";

const REMOVED = "removed-";
const READMITTED = "readmitted-";
/** Set apart from those of earlier versions. */
const NAMED = "-n";

/** The names of marks among the files of a session. */
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

/** One for each removal that is known. */
export function readmittalMarks(marks: readonly string[]): readonly string[] {
  return stateOf(marks).open.map((one) => `${READMITTED}${one}`);
}

function stateOf(marks: readonly string[]) {
  const of = (kind: string) =>
    new Set(marks.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length)));
  const [removed, readmitted] = [of(REMOVED), of(READMITTED)];
  return {
    /** Removals that no mark names. */
    open: [...removed].filter((one) => !readmitted.has(one)),
    /** Marks that name no removal: each answers one. */
    counted: [...readmitted].filter((one) => !removed.has(one)).length,
  };
}
