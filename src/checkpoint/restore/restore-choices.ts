/** What whoever restores files decides, and what came of it. */
import { pathFilter } from "../path-filter.js";
import type { FileConflict, FilePlan } from "./plan-files.js";

/** What becomes of conflicts: the present file stays, or the one of the plan takes its place. */
export type ConflictChoice = "keep" | "take";

export interface RestoreChoices {
  readonly conflicts?: ConflictChoice | ReadonlyMap<string, ConflictChoice>;
  /** Only these paths, or what is below them. Default: all. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface RestoreOutcome {
  readonly kind: "done" | "unchanged";
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Paths left alone: conflicts, paths that a conflict blocks, and files that changed during the restore. */
  readonly kept: readonly string[];
  /** Paths whose content is not on this machine. They stayed as they are too. */
  readonly missing: readonly string[];
}

/** Conflicts whose present file gives way. A folder or a device never does. */
export function takenConflicts({ conflicts }: FilePlan, choices: RestoreChoices): readonly FileConflict[] {
  const isChosen = pathFilter(choices.paths);
  return conflicts.filter(
    (conflict) => isChosen(conflict.path) && conflict.present !== undefined && choiceOf(conflict, choices) === "take",
  );
}

function choiceOf({ path }: FileConflict, { conflicts = "keep" }: RestoreChoices): ConflictChoice {
  return typeof conflicts === "string" ? conflicts : (conflicts.get(path) ?? "keep");
}
