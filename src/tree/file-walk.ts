/** What a move does to files: the checkpoints between two entries, summed up by path. */
import type { EntryId, FileDelta, FileState } from "../entry/index.js";
import { type SkippedFile, sameFile } from "../entry/internal.js";

/** One checkpoint on the way. */
export interface FileStep {
  readonly entryId: EntryId;
  readonly by: "tool" | "person" | "restore" | "attempt";
  readonly changes: readonly FileDelta[];
  /** What the step changed and is not covered. */
  readonly skipped?: readonly SkippedFile[];
}

export interface FileTarget {
  readonly path: string;
  /** What is there if nothing but the session changed it. */
  readonly expected: FileState;
  /** What should be there. */
  readonly wanted: FileState;
  /** The person changed it in one of the steps. */
  readonly byPerson: boolean;
}

export interface FileWay {
  /** From the old leaf to the common ancestor, newest first: to be undone. */
  readonly up: readonly FileStep[];
  /** From below the common ancestor to the new leaf, oldest first: to be applied. */
  readonly down: readonly FileStep[];
}

/**
 * Every path that a checkpoint on the way names, by name. A path whose states are the same at both ends is not in it: it
 * is not looked at and not touched.
 */
export function fileTargets({ up, down }: FileWay): readonly FileTarget[] {
  const targets = new Map<string, FileTarget>();
  const add = (path: string, { from, to, by }: { from: FileState; to: FileState; by: FileStep["by"] }) => {
    const known = targets.get(path);
    const expected = known === undefined ? from : known.expected;
    targets.set(path, { path, expected, wanted: to, byPerson: known?.byPerson === true || by === "person" });
  };
  for (const { by, changes } of up) {
    // Within a step a path is named once; backwards is right even if it is not.
    for (const { path, before, after } of changes.toReversed()) add(path, { from: after, to: before, by });
  }
  for (const { by, changes } of down) {
    for (const { path, before, after } of changes) add(path, { from: before, to: after, by });
  }
  return [...targets.values()]
    .filter(({ expected, wanted }) => !sameFile(expected, wanted))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
