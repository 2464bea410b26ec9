/** How a move changes files: the checkpoints between two entries, combined by path. */
import type { EntryId, FileDelta, FileState, SkippedFile } from "../entry/index.js";
import { joinedSessions, sameFile } from "../entry/internal.js";

/** One checkpoint between two entries. */
export interface FileStep {
  readonly entryId: EntryId;
  readonly by: "tool" | "person" | "restore" | "attempt";
  readonly changes: readonly FileDelta[];
  /** The machine it came from, if it was not recorded on this one. */
  readonly from?: string;
  /** Other sessions that made, or may have made, the changes. */
  readonly with?: readonly { readonly session: string; readonly callIds?: readonly string[] }[];
  /** Files that the step changed but that are not recorded. */
  readonly skipped?: readonly SkippedFile[];
}

export interface FileTarget {
  readonly path: string;
  /** The state on disk if nothing but the session changed the file. */
  readonly expected: FileState;
  /** The state that the file should have. */
  readonly wanted: FileState;
  /** The user changed it in one of the steps. */
  readonly byPerson: boolean;
  /** A machine that one of the steps came from, if it is not this one. */
  readonly from?: string;
  /** Set if undoing affects changes that these other sessions made, or may have made. */
  readonly with?: readonly { readonly session: string; readonly callIds?: readonly string[] }[];
}

export interface FileWay {
  /** From the old leaf to the common ancestor, newest first: to undo. */
  readonly up: readonly FileStep[];
  /** From below the common ancestor to the new leaf, oldest first: to apply. */
  readonly down: readonly FileStep[];
}

/**
 * Every path that one of these checkpoints names, sorted. A path with the same state at both ends is omitted: it is
 * neither checked nor touched.
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
    // A step names each path once; reversing is correct even if it does not.
    for (const { path, before, after } of step.changes.toReversed()) add({ path, before: after, after: before }, step);
  }
  for (const { changes, with: _, ...step } of down) {
    // Going forward undoes no one's changes: the file is as this session expects, or it is a conflict.
    for (const change of changes) add(change, step);
  }
  return [...targets.values()]
    .filter(({ expected, wanted }) => !sameFile(expected, wanted))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
