/** Where the disk differs from what a session recorded. */
import { join } from "node:path";
import type { FileDelta, FileState, SkippedFile } from "@bough/session/entry/index.js";
import { sameFile } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { statesAt } from "./diff-files.js";
import { type DiskFile, diskFile } from "./disk-file.js";
import { foldersAbove, RealFolders, reachableStats } from "./real-folders.js";
import { ExactNames } from "./scan/exact-names.js";
import { changesOf, recordAt } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

interface LookOptions {
  readonly root: string;
  readonly store: BlobStore;
  /** Larger files are not read. */
  readonly largest: number;
}

/** Compares files with their expected states and stores what the disk has instead. */
export async function diskDifferences(
  wantedStates: Iterable<{ readonly path: string; readonly wanted: FileState }>,
  { root, store, largest }: LookOptions,
): Promise<{ readonly changes: readonly FileDelta[]; readonly skipped: readonly SkippedFile[] }> {
  const turns = new WorkTurns();
  const names = new ExactNames(root);
  const changes: FileDelta[] = [];
  const skipped: SkippedFile[] = [];
  for (const { path, wanted } of wantedStates) {
    if (turns.isDue) {
      await turns.yieldNow();
      names.forget();
    }
    const stats = reachableStats(join(root, path));
    if (typeof stats !== "string" && stats?.isFile() === true && stats.size > largest) {
      skipped.push({ path, why: "too-large", size: stats.size });
      continue;
    }
    const disk = seenAs(diskFile(root, path));
    if (disk.kind === "blocked") {
      if (wanted !== null) skipped.push({ path, why: disk.why });
      continue;
    }
    if (sameFile(disk.state, wanted)) continue;
    // Some file systems answer to another spelling of a name: then it is a different file.
    if (disk.state !== null && !names.has(path)) {
      if (wanted !== null) changes.push({ path, before: wanted, after: null });
      continue;
    }
    if (disk.content !== undefined) await store.put(disk.content);
    changes.push({ path, before: wanted, after: disk.state });
  }
  return { changes, skipped };
}

type Seen = Extract<DiskFile, { kind: "file" }> | { readonly kind: "blocked"; readonly why: "special" | "unreadable" };

/** A folder, a path through a file or link, or an impossible path all mean that there is no file of this name. */
function seenAs(disk: DiskFile): Seen {
  if (disk.kind === "file") return disk;
  const { why } = disk;
  return why === "special" || why === "unreadable" ? { kind: "blocked", why } : { kind: "file", state: null };
}

/** Files and links that block folders which these paths need, or needed when they held files. */
export function inTheWay(root: string, paths: Iterable<string>): readonly string[] {
  const folders = new RealFolders(root);
  const found = new Set<string>();
  for (const path of paths) {
    const why = folders.above(path);
    if (why === undefined || why === "missing") continue;
    const first = foldersAbove(path).findLast((folder) => folders.above(`${folder}/x`) !== undefined);
    if (first !== undefined) found.add(first);
  }
  return [...found];
}

/**
 * Files that are on disk as another entry of the session left them: the conversation moved without them, and the
 * process that knew has ended. A number of the tree; -1 is before the first entry.
 */
export async function stayedFiles(
  source: Pick<TreeSource, "tree" | "entryAt">,
  leaf: number,
  options: LookOptions,
): Promise<readonly FileDelta[]> {
  const { store } = options;
  const { states } = await statesAt(source, leaf, { store });
  const wantedStates = [...states].map(([path, wanted]) => ({ path, wanted }));
  const { changes } = await diskDifferences(wantedStates, options);
  if (changes.length === 0) return [];
  const turns = new WorkTurns();
  const unknown = new Map(changes.map((change) => [change.path, change]));
  for (let number = source.tree.count - 1; number >= 0 && unknown.size > 0; number--) {
    if (turns.isDue) await turns.yieldNow();
    const found = recordAt(source, number);
    // A list that is not on this machine cannot match anything.
    for (const { path, before, after } of found === undefined
      ? []
      : await changesOf(found.record, store).catch(() => [])) {
      const on = unknown.get(path)?.after;
      if (on !== undefined && (sameFile(on, before) || sameFile(on, after))) unknown.delete(path);
    }
  }
  return changes.filter(({ path }) => !unknown.has(path));
}
