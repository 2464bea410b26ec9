/** What a restore would do, compared with what is on disk now. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FileState, OtherSession } from "@bough/session/entry/index.js";
import { sameFile } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { protectionOf } from "@bough/session/text/index.js";
import type { FileTarget } from "@bough/session/tree/index.js";
import type { Clash, ConflictWhy } from "@bough/session/view/door.js";
import { type DiskFile, diskFile } from "../disk-file.js";
import { foldersAbove, RealFolders } from "../real-folders.js";
import type { BlobStore } from "../store/blob-store.js";
import { foldedName } from "./folded-name.js";
import type { ProtectedPaths } from "./protected-paths.js";

export interface MissingFile {
  readonly path: string;
  readonly hash: string;
  readonly wanted: FileState;
  readonly why: "missing" | "damaged";
}

export interface FilePlan {
  readonly root: string;
  /** To be written or deleted, by path. */
  readonly files: readonly PlannedFile[];
  readonly conflicts: readonly FileConflict[];
  /** Paths that decide what gets executed. They are left alone unless you choose otherwise; git's own always are. */
  readonly protected?: readonly ProtectedFile[];
  /** Wanted contents that are missing here or damaged. These paths are left as they are. */
  readonly missing: readonly MissingFile[];
  /** Bytes to write. */
  readonly bytes: number;
  /** Folders to keep even if they become empty. All others are removed with their last file. */
  readonly folders?: readonly string[];
}

export interface PlannedFile {
  readonly path: string;
  /** The current state, and the wanted one. */
  readonly present: FileState;
  readonly wanted: FileState;
  /** The person changed it between turns, in one of the steps on the way. */
  readonly byPerson: boolean;
  /** The machine that recorded it, if it is not this one. */
  readonly from?: string;
  /** In a merge: the file on disk was changed too, and keeps those changes. */
  readonly merged?: true;
}

/** A path that is not as the session left it. */
export interface FileConflict {
  readonly path: string;
  readonly why: ConflictWhy;
  readonly present: FileState | undefined;
  readonly expected: FileState;
  readonly wanted: FileState;
  readonly byPerson: boolean;
  readonly from?: string;
  /** For `shared`: the other sessions. */
  readonly with?: readonly OtherSession[];
  /** In a merge: why the two changes cannot be combined. */
  readonly clash?: Clash;
  /** In a merge: both versions of the lines, with conflict markers. */
  readonly marked?: FileState;
}

export interface ProtectedFile extends Omit<FileConflict, "why"> {
  /**
   * `git`: it is in a `.git` folder on some system. `runs`: some program reads it on its own and runs what it names.
   */
  readonly why: "git" | "runs";
  /** Set if it is also a conflict. */
  readonly conflict?: ConflictWhy;
}

export interface PlanFilesOptions {
  readonly root: string;
  readonly store: Pick<BlobStore, "condition">;
  /** Default: the paths known by name. */
  readonly protectedPaths?: ProtectedPaths;
  readonly signal?: AbortSignal;
}

/** The maximum length of a link target on any system, in bytes. */
const LONGEST_LINK = 4095;

/** Reads only the named paths; changes nothing. */
export async function planFiles(
  targets: readonly FileTarget[],
  { root, store, protectedPaths = protectionOf, signal }: PlanFilesOptions,
): Promise<FilePlan> {
  const going = new Set(targets.filter(({ wanted }) => wanted === null).map(({ path }) => path));
  // Some file systems treat `A` and `a`, or two spellings of `é`, as one name.
  const folded = new Set([...going].map(foldedName));
  const files: PlannedFile[] = [];
  const conflicts: FileConflict[] = [];
  const guarded: ProtectedFile[] = [];
  const missing: MissingFile[] = [];
  let bytes = 0;
  const folders = new RealFolders(root);
  const turns = new WorkTurns();
  for (const { path, expected, wanted, byPerson, from, with: others } of targets) {
    if (turns.isDue) {
      await turns.yieldNow();
      folders.forget();
      signal?.throwIfAborted();
    }
    const protection = protectedPaths(path);
    const found = diskFile(root, path, folders);
    const disk = isTooLong(wanted) ? UNREACHABLE : madeFree(found, { root, path, going });
    const isThere = disk.kind === "file" && sameFile(disk.state, wanted);
    if (isThere && (wanted === null || !folded.has(foldedName(path)))) continue;
    const facts = { path, expected, wanted, byPerson, ...(from === undefined ? {} : { from }) };
    if (protection === "git") {
      guarded.push({ ...facts, why: protection, present: disk.kind === "file" ? disk.state : undefined });
      continue;
    }
    const stored = wanted !== null && "hash" in wanted ? await store.condition(wanted.hash) : "whole";
    if (wanted !== null && "hash" in wanted && stored !== "whole") {
      missing.push({ path, hash: wanted.hash, wanted, why: stored });
      continue;
    }
    const present = disk.kind === "file" ? disk.state : undefined;
    const isExpected = isThere || (present !== undefined && sameFile(present, expected));
    const isShared = !isThere && others !== undefined;
    const conflict = disk.kind === "blocked" ? disk.why : !isExpected ? "changed" : isShared ? "shared" : undefined;
    if (protection !== undefined) {
      guarded.push({ ...facts, why: protection, present, ...(conflict === undefined ? {} : { conflict }) });
    } else if (conflict === "shared") conflicts.push({ ...facts, why: conflict, present, with: others ?? [] });
    else if (conflict !== undefined) conflicts.push({ ...facts, why: conflict, present });
    else {
      const { expected: _, ...file } = facts;
      if (wanted !== null && "size" in wanted) bytes += wanted.size;
      files.push({ ...file, present: present ?? null });
    }
  }
  const plan = withoutFilesBelow({ root, files, conflicts, missing, bytes });
  return guarded.length === 0 ? plan : { ...plan, protected: guarded };
}

const UNREACHABLE: DiskFile = { kind: "blocked", why: "unreachable" };

/** No system supports a longer link, so it cannot be created here. */
function isTooLong(wanted: FileState): boolean {
  return wanted !== null && "link" in wanted && Buffer.byteLength(wanted.link) > LONGEST_LINK;
}

/** Whether a restore would change nothing, even if it could. */
export function isEmptyPlan({ files, conflicts, missing, protected: guarded = [] }: FilePlan): boolean {
  return files.length + conflicts.length + missing.length + guarded.length === 0;
}

/** The other machines that recorded what a plan would do. */
export function machinesOf({ files, conflicts, protected: guarded = [] }: FilePlan): readonly string[] {
  return [...new Set([...files, ...conflicts, ...guarded].flatMap(({ from }) => from ?? []))];
}

/** A record from elsewhere or with gaps may want a file and a folder at the same path: the file wins. */
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

/** Files wanted below a path at which another file is wanted. */
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

/** A file replaces a folder or the other way round: the same plan removes what is in the way. */
export function madeFree(disk: DiskFile, { root, path, going }: Surroundings): DiskFile {
  if (disk.kind !== "blocked") return disk;
  const nothing: DiskFile = { kind: "file", state: null };
  if (disk.why === "file-above" || disk.why === "link-above") {
    return foldersAbove(path).some((folder) => going.has(folder)) ? nothing : disk;
  }
  if (disk.why !== "folder") return disk;
  return filesBelow(join(root, path)).every((name) => going.has(`${path}/${name}`)) ? nothing : disk;
}

/** Relative, with `/`. Empty folders contain none. */
function filesBelow(folder: string): readonly string[] {
  const items = readdirSync(folder, { withFileTypes: true });
  return items.flatMap((item) =>
    item.isDirectory() ? filesBelow(join(folder, item.name)).map((name) => `${item.name}/${name}`) : [item.name],
  );
}
