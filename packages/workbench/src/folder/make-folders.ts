/**
 * Makes folders for attempts that all start exactly as the files of a project are now. The first is copied from the
 * project, the others from the first, so that they are equal even if someone edits meanwhile.
 */
import { randomBytes } from "node:crypto";
import { statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { makeFolder, namesIn, processIdentity } from "@bough/session/log/index.js";
import { attemptsRoot } from "@bough/session/session/internal.js";
import { attempt, grouped } from "@bough/session/text/index.js";
import { type FilesRoot, filesRoot, rememberRoot } from "../checkpoint/index.js";
import { gitPlace } from "../checkpoint/internal.js";
import { type CopyOptions, canShare, copyFiles, copyTree, type LeftFile, turnLinks, walkFolder } from "./copy-files.js";
import { copyRepository } from "./copy-repository.js";
import { copyWithSystem } from "./copy-with-system.js";
import { FolderError } from "./folder-error.js";
import { type AttemptFolder, type FolderRecord, withPaths, writeFolderRecord } from "./folder-record.js";
import { type ProjectFiles, projectFiles } from "./project-files.js";
import { removeFolder } from "./remove-folder.js";

export interface CopyProgress {
  /** Files so far, of all folders. */
  readonly done: number;
  readonly total: number;
}

/** Dependencies that would have to be copied byte by byte. */
export interface DependenciesFound {
  readonly folders: readonly string[];
  readonly files: number;
  readonly bytes: number;
}

export interface MakeFoldersOptions {
  /** Where the person works. */
  readonly cwd: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
  /** A name for each. */
  readonly names: readonly string[];
  /** Globs of ignored files to copy. */
  readonly include?: readonly string[];
  /** Whether a rule denies reading an ignored file, by its absolute path. */
  readonly isDenied?: (path: string) => boolean | Promise<boolean>;
  /**
   * Installed dependencies: shared if the file system can share contents; otherwise copied up to 1 GB, and asked about
   * beyond (default: left out then). `leave`: a command installs them.
   */
  readonly dependencies?: "copy" | "leave" | ((found: DependenciesFound) => Promise<"copy" | "leave">);
  readonly onProgress?: (progress: CopyProgress) => void;
  readonly signal?: AbortSignal;
}

export interface MadeFolders {
  readonly folders: readonly AttemptFolder[];
  /** Files that could not be copied. */
  readonly left: readonly LeftFile[];
  /** Dependencies that were not copied. */
  readonly withoutDependencies: readonly string[];
}

/** Beyond this, a copy of dependencies is asked about. */
const MOST_BYTES = 1024 ** 3;

/**
 * Throws `no-space`, `copy-failed` or `not-a-project`, or the reason of the signal; nothing is left then. Writes nothing
 * in the project.
 */
export async function makeFolders(options: MakeFoldersOptions): Promise<MadeFolders> {
  const { cwd, home, names, signal } = options;
  const found = await filesRoot(cwd, home);
  if ("off" in found) throw notAProject(cwd, found.off);
  makeFolder(attemptsRoot(home));
  const made: AttemptFolder[] = [];
  try {
    for (const name of names) {
      const folder = withPaths(await newRecord(name, { cwd, root: found.root }), home);
      writeFolderRecord(folder, home);
      made.push(folder);
    }
    const [first, ...others] = made;
    if (first === undefined) return { folders: [], left: [], withoutDependencies: [] };
    const { left, total, dependencies, withoutDependencies } = await fillFirst(first, { found, options });
    let done = total;
    for (const folder of others) {
      await copyAgain({ from: first.path, to: folder.path, signal });
      done += total;
      options.onProgress?.({ done, total: total * names.length });
      for (const path of dependencies) turnLinks(join(folder.path, path), { from: first.path, to: folder.path });
    }
    for (const folder of made) await shareStore(folder, { found, home });
    const ready = made.map((folder) => ({ ...folder, state: "ready" as const }));
    for (const folder of ready) writeFolderRecord(folder, home);
    return { folders: ready, left, withoutDependencies };
  } catch (error) {
    for (const folder of made) removeFolder(folder, home);
    throw asFolderError(error, { cwd });
  }
}

/** A folder in which nobody works yet: by the system's own program, which is the fastest, and else by ours. */
async function copyAgain(options: CopyOptions): Promise<void> {
  const { from, to, signal } = options;
  makeFolder(to);
  const names = namesIn(from).filter((name) => name !== ".git");
  const isCopied = await copyWithSystem(names, { from, to, ...(signal === undefined ? {} : { signal }) });
  signal?.throwIfAborted();
  const isLeftOut = (path: string) => isCopied && path !== ".git" && !path.startsWith(".git/");
  await copyTree({ ...options, isLeftOut, isLinked: isGitObject });
}

/** Objects of git are never written again. */
function isGitObject(path: string): boolean {
  return /^\.git\/objects\/(?:[0-9a-f]{2}|pack)\//.test(path);
}

/** The same store and the same project as the original. */
async function shareStore(
  folder: AttemptFolder,
  { found, home }: { readonly found: FilesRoot; readonly home: string },
) {
  const copy = await filesRoot(folder.path, home);
  if ("off" in copy) throw notAProject(folder.path, copy.off);
  rememberRoot(found);
  rememberRoot({ ...copy, store: found.store });
}

interface Filling {
  readonly found: FilesRoot;
  readonly options: MakeFoldersOptions;
}

async function fillFirst(folder: AttemptFolder, { found, options }: Filling) {
  const { root } = found;
  const { home, names, include = [], isDenied, onProgress, signal } = options;
  const to = folder.path;
  makeFolder(to);
  const place = found.isGit ? await gitPlace(root) : undefined;
  const index = place?.index ?? "";
  // Before the files: what changes meanwhile is then seen as changed.
  if (found.isGit) await copyRepository({ from: root, to, index, signal });
  const files = await projectFiles({ root, isGit: found.isGit, index, home, include, isDenied, signal });
  const total = files.files.length;
  checkSpace(files, { root, to, count: names.length });
  let done = 0;
  const onFile = () => onProgress?.({ done: ++done, total: total * names.length });
  const left = [...(await copyFiles(files.files, { from: root, to, signal, onFile }))];
  for (const path of files.folders) makeFolder(join(to, path), 0o777);
  const isWanted = await wantsDependencies(files, { root, to, options });
  if (isWanted) {
    for (const path of files.dependencies) {
      const from = join(root, path);
      left.push(...(await copyTree({ from, to: join(to, path), signal })));
      turnLinks(join(to, path), { from: root, to });
    }
  }
  const [dependencies, withoutDependencies] = isWanted ? [files.dependencies, []] : [[], files.dependencies];
  return { left, total, dependencies, withoutDependencies };
}

async function wantsDependencies(
  { dependencies, files }: ProjectFiles,
  { root, to, options }: { readonly root: string; readonly to: string; readonly options: MakeFoldersOptions },
): Promise<boolean> {
  if (dependencies.length === 0 || options.dependencies === "leave") return false;
  if (options.dependencies === "copy") return true;
  const sample = files.find((path) => attempt(() => statSync(join(root, path)).isFile()) === true);
  if (sample !== undefined && (await canShare(join(root, sample), to))) return true;
  let count = 0;
  let bytes = 0;
  for (const folder of dependencies) {
    for (const { path, isFolder } of walkFolder(join(root, folder))) {
      if (isFolder) continue;
      count += 1;
      bytes += sizeOf(join(root, folder, path));
    }
  }
  const all = bytes * options.names.length;
  if (all <= MOST_BYTES && all < freeIn(to)) return true;
  const answer = await options.dependencies?.({ folders: dependencies, files: count, bytes });
  return answer === "copy";
}

/** Contents that can be shared need no space, which is only known when it is tried. */
function checkSpace(
  { files }: ProjectFiles,
  { root, to, count }: { readonly root: string; readonly to: string; readonly count: number },
): void {
  const bytes = files.reduce((sum, path) => sum + sizeOf(join(root, path)), 0) * count;
  const free = freeIn(to);
  if (bytes < free) return;
  throw new FolderError("no-space", `${count} folders need ${megabytes(bytes)}, and ${megabytes(free)} are free`, {
    data: { bytes, free },
    hint: "Make room, start fewer attempts, or set BOUGH_HOME to a larger disk.",
  });
}

function sizeOf(path: string): number {
  return attempt(() => statSync(path, { throwIfNoEntry: false })?.size) ?? 0;
}

function freeIn(folder: string): number {
  const space = attempt(() => statfsSync(folder));
  return space === undefined ? Number.POSITIVE_INFINITY : space.bavail * space.bsize;
}

function megabytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1_000_000))} MB`;
}

async function newRecord(
  name: string,
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Promise<FolderRecord> {
  return {
    v: 1,
    id: randomBytes(6).toString("hex"),
    name,
    root,
    cwd,
    port: await freePort(),
    owner: processIdentity(),
    groups: [],
    createdAt: new Date().toISOString(),
    state: "making",
  };
}

/** Free now; a server of the attempt may use it. */
function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => settle(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function notAProject(cwd: string, why: string): FolderError {
  return new FolderError(
    "not-a-project",
    `Attempts need a project folder: ${basename(cwd)} cannot be copied (${why})`,
    {
      data: { cwd, why },
      hint: "Start Bough in the project's folder.",
    },
  );
}

function asFolderError(error: unknown, { cwd }: { readonly cwd: string }): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new FolderError("no-space", "The disk is full; the folders of the attempts were removed", {
      data: { cwd },
      hint: "Make room, start fewer attempts, or set BOUGH_HOME to a larger disk.",
      cause: error,
    });
  }
  if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
  return new FolderError("copy-failed", `The project could not be copied: ${message}`, { data: { cwd }, cause: error });
}
