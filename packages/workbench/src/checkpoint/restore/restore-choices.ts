/** What the caller of a restore decides, and the outcome. */
import { pathFilter } from "../path-filter.js";
import { type FileConflict, type FilePlan, type PlannedFile, type ProtectedFile, wantedBelow } from "./plan-files.js";

/** What happens to conflicts: keep the present file, or replace it with the planned one. */
export type ConflictChoice = "keep" | "take";

export interface RestoreChoices {
  readonly conflicts?: ConflictChoice | ReadonlyMap<string, ConflictChoice>;
  /**
   * Paths that decide what gets executed: keep them (default), or restore them like all others. Git's own are always
   * kept.
   */
  readonly protected?: ConflictChoice;
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
  /** Paths whose content is not on this machine. They were left alone too. */
  readonly missing: readonly string[];
  /** Paths that decide what gets executed and were left alone. Absent if there are none. */
  readonly protected?: readonly string[];
}

/** What a plan amounts to with these choices. */
export interface ChosenFiles {
  /** To write or delete. */
  readonly files: readonly PlannedFile[];
  /** Conflicts among them: the present file is replaced. */
  readonly taken: readonly FileConflict[];
  /** Conflicts that were kept. */
  readonly kept: readonly string[];
  /** Paths that decide what gets executed, and are kept. */
  readonly protected: readonly string[];
}

/**
 * A folder or a device is never replaced. A file wanted below another wanted file is dropped: only one of the two is
 * possible, and the upper one wins.
 */
export function chosenFiles(plan: FilePlan, choices: RestoreChoices): ChosenFiles {
  const isChosen = pathFilter(choices.paths);
  const guarded = (plan.protected ?? []).filter(({ path }) => isChosen(path));
  const opened = guarded.filter(({ why }) => why !== "git" && choices.protected === "take");
  const free = [...plan.files.filter(({ path }) => isChosen(path)), ...opened.flatMap(withoutConflict)];
  const conflicts = [...plan.conflicts.filter(({ path }) => isChosen(path)), ...opened.flatMap(asConflict)];
  const taken = conflicts.filter((one) => one.present !== undefined && choiceOf(one, choices) === "take");
  const all = [...free, ...taken.map(asFile)];
  const below = wantedBelow(all);
  const blocked = new Set([...below].map(({ path }) => path));
  return {
    files: all.filter((file) => !below.has(file)).sort((a, b) => (a.path < b.path ? -1 : 1)),
    taken: taken.filter(({ path }) => !blocked.has(path)),
    kept: [...conflicts.filter((one) => !taken.includes(one)).map(({ path }) => path), ...blocked],
    protected: guarded.filter((one) => !opened.includes(one)).map(({ path }) => path),
  };
}

function withoutConflict({ conflict, why: _, expected: _expected, present, ...file }: ProtectedFile): PlannedFile[] {
  return conflict === undefined ? [{ ...file, present: present ?? null }] : [];
}

function asConflict({ conflict, ...file }: ProtectedFile): FileConflict[] {
  return conflict === undefined ? [] : [{ ...file, why: conflict }];
}

function asFile({ why: _, expected: _expected, present = null, ...file }: FileConflict): PlannedFile {
  return { ...file, present };
}

function choiceOf({ path }: FileConflict, { conflicts = "keep" }: RestoreChoices): ConflictChoice {
  return typeof conflicts === "string" ? conflicts : (conflicts.get(path) ?? "keep");
}
