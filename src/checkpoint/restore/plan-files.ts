/** What a restore would do, before anything is done: compared with what is on disk now. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FileState } from "../../entry/index.js";
import { sameFile } from "../../entry/internal.js";
import { WorkTurns } from "../../log/index.js";
import type { FileTarget } from "../../tree/index.js";
import { type DiskFile, diskFile } from "../disk-file.js";
import { foldersAbove, RealFolders } from "../real-folders.js";
import type { BlobStore } from "../store/blob-store.js";

export interface MissingFile {
  readonly path: string;
  readonly hash: string;
  readonly wanted: FileState;
  readonly why: "missing" | "damaged";
}

export interface FilePlan {
  readonly root: string;
  /** To be written or deleted, by path. */
  readonly files: readonly {
    readonly path: string;
    /** What is there now, and what is to be there. */
    readonly present: FileState;
    readonly wanted: FileState;
    /** The person changed it between turns, in the steps on the way. */
    readonly byPerson: boolean;
  }[];
  readonly conflicts: readonly {
    readonly path: string;
    /** `changed`: the file is neither as the session left it nor as it would become. Otherwise, what blocks the path. */
    readonly why: "changed" | "folder" | "special" | "unreadable" | "link-above" | "file-above";
    readonly present: FileState | undefined;
    readonly expected: FileState;
    readonly wanted: FileState;
    readonly byPerson: boolean;
  }[];
  /** Wanted contents that are not stored here, or damaged. These paths are left as they are. */
  readonly missing: readonly MissingFile[];
  /** Bytes to be written. */
  readonly bytes: number;
}

export type PlannedFile = FilePlan["files"][number];
export type FileConflict = FilePlan["conflicts"][number];

export interface PlanFilesOptions {
  readonly root: string;
  readonly store: Pick<BlobStore, "condition">;
  readonly signal?: AbortSignal;
}

/** Reads the named paths and nothing else; changes nothing. */
export async function planFiles(
  targets: readonly FileTarget[],
  { root, store, signal }: PlanFilesOptions,
): Promise<FilePlan> {
  const going = new Set(targets.filter(({ wanted }) => wanted === null).map(({ path }) => path));
  // Some file systems take `A` and `a`, or two spellings of `é`, for one name.
  const folded = new Set([...going].map(foldedName));
  const files: PlannedFile[] = [];
  const conflicts: FileConflict[] = [];
  const missing: FilePlan["missing"][number][] = [];
  let bytes = 0;
  const folders = new RealFolders(root);
  const turns = new WorkTurns();
  for (const { path, expected, wanted, byPerson } of targets) {
    if (turns.isDue) {
      await turns.yieldNow();
      folders.forget();
      signal?.throwIfAborted();
    }
    const disk = madeFree(diskFile(root, path, folders), { root, path, going });
    const isThere = disk.kind === "file" && sameFile(disk.state, wanted);
    if (isThere && (wanted === null || !folded.has(foldedName(path)))) continue;
    const stored = wanted !== null && "hash" in wanted ? await store.condition(wanted.hash) : "whole";
    if (wanted !== null && "hash" in wanted && stored !== "whole") {
      missing.push({ path, hash: wanted.hash, wanted, why: stored });
    } else if (disk.kind === "blocked") {
      conflicts.push({ path, why: disk.why, present: undefined, expected, wanted, byPerson });
    } else if (!isThere && !sameFile(disk.state, expected)) {
      conflicts.push({ path, why: "changed", present: disk.state, expected, wanted, byPerson });
    } else {
      if (wanted !== null && "size" in wanted) bytes += wanted.size;
      files.push({ path, present: disk.state, wanted, byPerson });
    }
  }
  return withoutFilesBelow({ root, files, conflicts, missing, bytes });
}

/** A record that nobody here has written, or that has gaps, may want a file where it wants a folder: the file comes first. */
function withoutFilesBelow(plan: FilePlan): FilePlan {
  const below = wantedBelow(plan.files);
  if (below.size === 0) return plan;
  const more = [...below].map((file) => ({
    ...file,
    why: "file-above" as const,
    present: undefined,
    expected: file.present,
  }));
  return {
    ...plan,
    files: plan.files.filter((file) => !below.has(file)),
    conflicts: [...plan.conflicts, ...more].sort((a, b) => (a.path < b.path ? -1 : 1)),
    bytes:
      plan.bytes - more.reduce((sum, { wanted }) => sum + (wanted !== null && "size" in wanted ? wanted.size : 0), 0),
  };
}

/** Files that are wanted below a path at which another file is wanted. */
export function wantedBelow(files: readonly PlannedFile[]): ReadonlySet<PlannedFile> {
  const wanted = files.filter((file) => file.wanted !== null);
  const paths = new Set(wanted.map(({ path }) => path));
  return new Set(wanted.filter(({ path }) => foldersAbove(path).some((folder) => paths.has(folder))));
}

export interface Surroundings {
  readonly root: string;
  readonly path: string;
  /** Paths that the plan deletes. */
  readonly going: ReadonlySet<string>;
}

/** A file takes the place of a folder, or the other way round: what stands in the way goes with the same plan. */
export function madeFree(disk: DiskFile, { root, path, going }: Surroundings): DiskFile {
  if (disk.kind !== "blocked") return disk;
  const nothing: DiskFile = { kind: "file", state: null };
  if (disk.why === "file-above" || disk.why === "link-above") {
    return foldersAbove(path).some((folder) => going.has(folder)) ? nothing : disk;
  }
  if (disk.why !== "folder") return disk;
  return filesBelow(join(root, path)).every((name) => going.has(`${path}/${name}`)) ? nothing : disk;
}

/** Relative, with `/`. Empty folders hold none. */
function filesBelow(folder: string): readonly string[] {
  const items = readdirSync(folder, { withFileTypes: true });
  return items.flatMap((item) =>
    item.isDirectory() ? filesBelow(join(folder, item.name)).map((name) => `${item.name}/${name}`) : [item.name],
  );
}

/** The same for all spellings of a name that some file system takes for one. */
export function foldedName(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
