/** What whoever restores files decides: which of them, and what becomes of conflicts. */
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
