/** What a move does to files: the checkpoints between two entries, summed up by path. */
import type { EntryId, FileDelta, FileState } from "../entry/index.js";
import { joinedSessions, type SkippedFile, sameFile } from "../entry/internal.js";

/** One checkpoint on the way. */
export interface FileStep {
  readonly entryId: EntryId;
  readonly by: "tool" | "person" | "restore" | "attempt";
  readonly changes: readonly FileDelta[];
  /** The machine it came from, if it was not recorded on this one. */
  readonly from?: string;
  /** Other sessions that made the changes, or may have. */
  readonly with?: readonly { readonly session: string; readonly callIds?: readonly string[] }[];
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
  /** A machine that one of the steps came from, if it is not this one. */
  readonly from?: string;
  /** It is to be undone, and these other sessions made one of the changes, or may have. */
  readonly with?: readonly { readonly session: string; readonly callIds?: readonly string[] }[];
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
  const add = ({ path, before, after }: FileDelta, { by, from, with: others = [] }: Omit<FileStep, "changes">) => {
    const known = targets.get(path);
    const machine = known?.from ?? from;
    const all = joinedSessions([...(known?.with ?? []), ...others]);
    targets.set(path, {
      path,
      expected: known === undefined ? before : known.expected,
      wanted: after,
      byPerson: known?.byPerson === true || by === "person",
      ...(machine === undefined ? {} : { from: machine }),
      ...(all.length === 0 ? {} : { with: all }),
    });
  };
  for (const step of up) {
    // Within a step a path is named once; backwards is right even if it is not.
    for (const { path, before, after } of step.changes.toReversed()) add({ path, before: after, after: before }, step);
  }
  for (const { changes, with: _, ...step } of down) {
    // Going forward takes nothing from anyone: what is there is what this session expects, or a conflict.
    for (const change of changes) add(change, step);
  }
  return [...targets.values()]
    .filter(({ expected, wanted }) => !sameFile(expected, wanted))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
