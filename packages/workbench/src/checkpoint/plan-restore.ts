/** A plan for files that a person asked for by name, in addition to those that changed on the way to an entry. */

import type { SkippedFile } from "@bough/session/entry/index.js";
import { namedPaths } from "@bough/session/text/index.js";
import { type FileTarget, fileTargets, type TreeSource } from "@bough/session/tree/index.js";
import type { FileDifference } from "@bough/session/view/door.js";
import { CheckpointError } from "./checkpoint-error.js";
import { diffFiles, skippedOn, statesAt } from "./diff-files.js";
import { recordedFolders } from "./own-folders.js";
import { pathFilter } from "./path-filter.js";
import { foldersAbove } from "./real-folders.js";
import { withOrigins } from "./record-origins.js";
import { type FilePlan, planFiles } from "./restore/plan-files.js";
import { protectedPaths } from "./restore/protected-paths.js";
import { stepsBetween } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

export interface RestoreRequest {
  /** Numbers of entries; -1 is before the first one. */
  readonly from: number;
  readonly to: number;
  readonly root: string;
  readonly store: BlobStore;
  /** Relative to the root. Default: what changed between the two entries. */
  readonly paths?: readonly string[];
  /** Entries that came from other machines; see `arrivedEntries` of sessions. */
  readonly arrived?: ReadonlyMap<string, string>;
  readonly signal?: AbortSignal;
}

/**
 * Without paths: what moving the files from one entry to another does. With paths, plans those even if the session left
 * them unchanged: a file that differs was then changed by someone else, and is a conflict.
 */
export async function planRestore(
  source: Pick<TreeSource, "tree" | "entryAt">,
  { from, to, root, store, paths, arrived = new Map(), signal }: RestoreRequest,
): Promise<RestorePlan> {
  const way = await stepsBetween(source, { from, to, arrived }, store);
  const targets = await chosenTargets(fileTargets(way), source, { to, store, arrived, paths, signal });
  return planTargets(targets, source, { root, store, uncovered: skippedOn(way, paths), signal });
}

/** A plan that can tell what it would change, line by line. */
export interface RestorePlan extends FilePlan {
  /** Paths that changed on the way but are not recorded: they are left alone. */
  readonly uncovered: readonly SkippedFile[];
  /**
   * From disk to the planned state, file by file, read on demand. Conflicts and files that decide what runs are among
   * them, in case they are taken; blocked paths are not.
   */
  differences(signal?: AbortSignal): AsyncIterable<FileDifference>;
}

interface PlanOptions extends Pick<RestoreRequest, "root" | "store" | "signal">, Pick<RestorePlan, "uncovered"> {}

/** Every plan is made here, so that protected paths and the folders to keep are always considered. */
export async function planTargets(
  targets: readonly FileTarget[],
  source: Pick<TreeSource, "tree" | "entryAt">,
  { uncovered, ...options }: PlanOptions,
): Promise<RestorePlan> {
  const guards = targets.length === 0 ? {} : { protectedPaths: await protectedPaths(options.root) };
  const plan = await planFiles(targets, { ...options, ...guards });
  const emptied = new Set(targets.flatMap(({ path, wanted }) => (wanted === null ? foldersAbove(path) : [])));
  const folders = emptied.size === 0 ? [] : recordedFolders(source).filter((folder) => emptied.has(folder));
  return {
    ...plan,
    ...(folders.length === 0 ? {} : { folders }),
    uncovered,
    differences: (signal) => planDifferences(plan, { store: options.store, signal }),
  };
}

/** From disk to what is wanted. */
export function planDifferences(
  { root, files, conflicts, protected: guarded = [] }: FilePlan,
  options: { readonly store: Pick<BlobStore, "get">; readonly signal?: AbortSignal | undefined },
): AsyncIterable<FileDifference> {
  const asked = [...conflicts, ...guarded.filter(({ why }) => why === "runs")];
  const changes = [...files, ...asked.filter(({ present }) => present !== undefined)]
    .map(({ path, present = null, wanted }) => ({ path, before: present, after: wanted }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return diffFiles({ changes, blocked: new Map() }, { ...options, fromDisk: root });
}

/** What changed on the way, limited to the selected paths, plus selected paths that the session left unchanged. */
export async function chosenTargets(
  changed: readonly FileTarget[],
  source: Pick<TreeSource, "tree" | "entryAt">,
  { to, store, paths, arrived = new Map(), signal }: Omit<RestoreRequest, "from" | "root">,
): Promise<readonly FileTarget[]> {
  const origins = { to, store, arrived };
  if (paths === undefined) return withOrigins(changed, source, origins);
  const isChosen = pathFilter(paths);
  const targets = new Map(changed.filter(({ path }) => isChosen(path)).map((target) => [target.path, target]));
  const { states } = await statesAt(source, to, { store, signal });
  for (const [path, state] of states) {
    if (isChosen(path) && !targets.has(path))
      targets.set(path, { path, expected: state, wanted: state, byPerson: false });
  }
  const chosen = [...targets.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return withOrigins(chosen, source, origins);
}

/** Paths that no step of the session names, neither themselves nor anything below them. */
export async function unnamedPaths(
  source: Pick<TreeSource, "tree" | "entryAt">,
  paths: readonly string[],
  store: BlobStore,
): Promise<readonly string[]> {
  const { states } = await statesAt(source, -1, { store });
  const named = [...states.keys()];
  return paths.filter((path) => !named.some(pathFilter([path])));
}

/** The same. Throws `no-file-history` if none of the paths is named, because then there is nothing to restore. */
export async function unrecordedPaths(
  source: Pick<TreeSource, "tree" | "entryAt">,
  paths: readonly string[],
  store: BlobStore,
): Promise<readonly string[]> {
  const unnamed = await unnamedPaths(source, paths, store);
  const [first] = unnamed;
  if (first === undefined || unnamed.length < paths.length) return unnamed;
  throw new CheckpointError("no-file-history", `No step in this session changed ${namedPaths(unnamed)}`, {
    data: { paths: unnamed },
    hint: `No earlier version of ${unnamed.length === 1 ? "it" : "them"} is recorded, and nothing was restored.`,
  });
}
