/** What the caller of a restore decides, and the outcome. */
import { pathFilter } from "../path-filter.js";
import { type FileConflict, type FilePlan, type PlannedFile, type ProtectedFile, wantedBelow } from "./plan-files.js";

/** What happens to conflicts: keep the present file, or replace it with the planned one. */
export type ConflictChoice = "keep" | "take";

/** In a merge also: write both versions of the lines, with conflict markers. A file that is not text is kept then. */
export type MergeChoice = "keep" | "take" | "markers";

export interface RestoreChoices {
  readonly conflicts?: MergeChoice | ReadonlyMap<string, MergeChoice>;
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
  const taken = conflicts.flatMap((one) => (one.present === undefined ? [] : chosenState(one, choices)));
  const takenPaths = new Set(taken.map(({ path }) => path));
  const all = [...free, ...taken.map(asFile)];
  const below = wantedBelow(all);
  const blocked = new Set([...below].map(({ path }) => path));
  return {
    files: all.filter((file) => !below.has(file)).sort((a, b) => (a.path < b.path ? -1 : 1)),
    taken: taken.filter(({ path }) => !blocked.has(path)),
    kept: [...conflicts.filter(({ path }) => !takenPaths.has(path)).map(({ path }) => path), ...blocked],
    protected: guarded.filter((one) => !opened.includes(one)).map(({ path }) => path),
  };
}

/** Whether anything would be written or deleted. */
export function changesFiles(plan: FilePlan, choices: RestoreChoices): boolean {
  return chosenFiles(plan, choices).files.length > 0;
}

/** Conflicts that need an answer and have none. What blocks a path is never replaced, so it needs none. */
export function unansweredConflicts(plan: FilePlan, choices: RestoreChoices): readonly FileConflict[] {
  const { conflicts: given } = choices;
  if (typeof given === "string") return [];
  const opened = choices.protected === "take" ? (plan.protected ?? []).filter(({ why }) => why !== "git") : [];
  return [...plan.conflicts, ...opened.flatMap(asConflict)].filter(
    ({ path, present }) => present !== undefined && given?.has(path) !== true,
  );
}

function withoutConflict({ conflict, why: _, present = null, ...file }: ProtectedFile): PlannedFile[] {
  return conflict === undefined ? [asFile({ ...file, present, why: "changed" })] : [];
}

function asConflict({ conflict, ...file }: ProtectedFile): FileConflict[] {
  return conflict === undefined ? [] : [{ ...file, why: conflict }];
}

function asFile(conflict: FileConflict): PlannedFile {
  const {
    why: _,
    expected: _expected,
    with: _with,
    clash: _clash,
    marked: _marked,
    present = null,
    ...file
  } = conflict;
  return { ...file, present };
}

/** The conflict with the state that was chosen as the wanted one; nothing if the file is kept. */
function chosenState(conflict: FileConflict, { conflicts = "keep" }: RestoreChoices): FileConflict[] {
  const choice = typeof conflicts === "string" ? conflicts : (conflicts.get(conflict.path) ?? "keep");
  if (choice === "take") return [conflict];
  return choice === "markers" && conflict.marked !== undefined ? [{ ...conflict, wanted: conflict.marked }] : [];
}
