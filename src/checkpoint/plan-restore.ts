/** A plan for files that a person asked for by name, besides those that changed on the way to an entry. */
import { fileTargets, type TreeSource } from "../tree/index.js";
import { statesAt } from "./diff-files.js";
import { pathFilter } from "./path-filter.js";
import { type FilePlan, planFiles } from "./restore/plan-files.js";
import { stepsBetween } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

interface RestoreRequest {
  /** Numbers of entries; -1 is before the first one. */
  readonly from: number;
  readonly to: number;
  readonly root: string;
  readonly store: BlobStore;
  /** Paths of the root. Default: what changed between the two. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Without paths: what a move of the files from one entry to another does. With paths, those, also if the session left
 * them the same: then a file that differs from it was changed by someone else, and is a conflict.
 */
export async function planRestore(
  source: Pick<TreeSource, "tree" | "entryAt">,
  { from, to, root, store, paths, signal }: RestoreRequest,
): Promise<FilePlan> {
  const isChosen = pathFilter(paths);
  const targets = new Map(
    fileTargets(await stepsBetween(source, { from, to }, store))
      .filter(({ path }) => isChosen(path))
      .map((target) => [target.path, target]),
  );
  const stop = signal === undefined ? {} : { signal };
  if (paths !== undefined) {
    const { states } = await statesAt(source, to, { store, ...stop });
    for (const [path, state] of states) {
      if (isChosen(path) && !targets.has(path))
        targets.set(path, { path, expected: state, wanted: state, byPerson: false });
    }
  }
  const sorted = [...targets.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return planFiles(sorted, { root, store, ...stop });
}
