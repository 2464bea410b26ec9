/** What git says about a working folder, compared with our own index, a copy of the person's. */
import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { makeFolder } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { foldersAbove } from "../real-folders.js";
import { hasTimedFolders } from "./folder-keys.js";
import { GitIndex } from "./git-index.js";
import { runGit } from "./run-git.js";
import { signatureOf } from "./signature.js";

export interface GitPlace {
  /** The top of the working folder. */
  readonly root: string;
  /** Our own index file. */
  readonly index: string;
  /** Additional settings for git. */
  readonly config?: readonly string[];
}

/** The top level above a folder, and where the person's index is or will be. Undefined outside git. */
export async function gitPlace(cwd: string): Promise<{ readonly top: string; readonly index: string } | undefined> {
  const ask = async (...args: readonly string[]) =>
    (await runGit(["rev-parse", ...args], { cwd }))?.toString().replace(/\r?\n$/, "");
  const said = (await ask("--show-toplevel", "--git-path", "index"))?.split("\n");
  if (said === undefined) return undefined;
  // If a folder name contains a line break, ask for one at a time.
  const [top, index] = said.length === 2 ? said : [await ask("--show-toplevel"), await ask("--git-path", "index")];
  return top === undefined || index === undefined ? undefined : { top, index: resolve(cwd, index) };
}

/** Copies an index over the existing one. A repository without a commit has none. */
export function copyIndex(from: string, to: string): void {
  makeFolder(dirname(to));
  if (!existsSync(from)) {
    rmSync(to, { force: true });
    return;
  }
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  // Git rereads files that are as new as the index: a copy must not look newer than its original.
  const time = Math.floor(mtimeMs / 1000);
  utimesSync(to, time, time);
}

/** Changes when the index does. */
export function indexSignature(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0 : signatureOf(stats);
}

/** How many files an index names, from its first bytes. */
export function indexedCount(path: string): number {
  const head = Buffer.alloc(12);
  const file = attempt(() => openSync(path, "r"));
  if (file === undefined) return 0;
  try {
    return readSync(file, head) === 12 && head.toString("latin1", 0, 4) === "DIRC" ? head.readUInt32BE(8) : 0;
  } finally {
    closeSync(file);
  }
}

/** Whether a path is in the index, is not, or is in conflict there. */
export type IndexState = "indexed" | "untracked" | "unmerged";

export interface Differing {
  /** Paths that differ from the index or are not in it, except ignored files and nested repositories. */
  readonly files: Map<string, IndexState>;
  /** Folders that are repositories of their own. */
  readonly repositories: readonly string[];
}

/** Undefined if git fails. */
export async function differingFiles(place: GitPlace, signal?: AbortSignal): Promise<Differing | undefined> {
  // Git remembers in our index which folders have nothing new, and reads only those that changed.
  const cached = hasTimedFolders(place.root);
  const found = await statusOf(place, { cached, signal });
  const isOld = cached && found !== undefined && missesRepository(place.root, found);
  const differing = isOld ? await statusOf(place, { cached: false, signal }) : found;
  if (differing === undefined) return undefined;
  // The path of a nested repository ends with a slash.
  const repositories = [...differing.keys()].filter((path) => path.endsWith("/"));
  for (const path of repositories) differing.delete(path);
  return { files: differing, repositories: repositories.map((path) => path.slice(0, -1)) };
}

/** Files outside a sparse checkout stay marked as such in our index, whether or not they exist. */
const OWN_LOOK = ["sparse.expectFilesOutsideOfPatterns=true"];

/** Our current index. If it is sparse or split, git writes it in full first. */
export async function readIndex({ root, index }: GitPlace, hashBytes: number): Promise<GitIndex | undefined> {
  const read = GitIndex.read(index, hashBytes);
  if (read !== undefined) return read;
  const args = ["update-index", "--force-write-index", "--no-split-index", "--index-version", "2"];
  await runGit(args, { cwd: root, index, config: OWN_LOOK });
  return GitIndex.read(index, hashBytes);
}

async function statusOf(
  { root, index, config = [] }: GitPlace,
  { cached, signal }: { readonly cached: boolean; readonly signal: AbortSignal | undefined },
): Promise<Map<string, IndexState> | undefined> {
  const said = await runGit(["status", "--porcelain=v2", "-z", "--no-renames", "--ignore-submodules=all"], {
    cwd: root,
    index,
    // As an option it would switch the cache off.
    config: [...config, ...OWN_LOOK, "status.showUntrackedFiles=all", `core.untrackedCache=${cached}`],
    signal,
  });
  return said === undefined ? undefined : new Map(said.toString().split("\0").flatMap(fileIn));
}

/**
 * Whether a folder became a repository, or stopped being one, without git noticing: git checks only when it lists the
 * folder above, in which nothing changed.
 */
function missesRepository(root: string, found: ReadonlyMap<string, IndexState>): boolean {
  const asked = new Map<string, boolean>();
  const isRepository = (folder: string) => {
    const known = asked.get(folder) ?? existsSync(`${root}/${folder}/.git`);
    asked.set(folder, known);
    return known;
  };
  for (const [path, state] of found) {
    if (state !== "untracked") continue;
    if (path.endsWith("/") ? !isRepository(path.slice(0, -1)) : foldersAbove(path).some(isRepository)) return true;
  }
  return false;
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
function fileIn(line: string): readonly [path: string, state: IndexState][] {
  if (line.startsWith("? ")) return [[line.slice(2), "untracked"]];
  // Only staged: the file on disk matches the index.
  if (line.startsWith("1 ") && line[3] !== ".") return [[afterFields(line, 8), "indexed"]];
  return line.startsWith("u ") ? [[afterFields(line, 10), "unmerged"]] : [];
}

function afterFields(line: string, count: number): string {
  let at = 0;
  for (let field = 0; field < count; field++) at = line.indexOf(" ", at) + 1;
  return line.slice(at);
}

/** Those of the given paths that are ignored, whether or not they exist. Undefined if git fails. */
export async function ignoredPaths(root: string, paths: readonly string[]): Promise<readonly string[] | undefined> {
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join("");
  // Exit code 1 means that none is.
  const said = await runGit(["check-ignore", "-z", "--stdin"], { cwd: root, input, answers: [0, 1] });
  return said
    ?.toString()
    .split("\0")
    .filter((path) => path !== "");
}

/** Ignored files that match one of the globs. Undefined if git fails. */
export async function ignoredFiles(
  { root, index }: GitPlace,
  globs: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--"];
  const said = await runGit([...args, ...globs.map((glob) => `:(glob)${glob}`)], {
    cwd: root,
    index,
    signal,
  });
  return said
    ?.toString()
    .split("\0")
    .filter((path) => path !== "" && !path.endsWith("/"));
}
