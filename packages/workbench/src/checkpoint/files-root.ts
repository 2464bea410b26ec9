/**
 * Which folder the files of a session are in, and where its contents are stored.
 *
 * A store is found by several keys: the first commit of the repository plus the root's path in it, the identity of the
 * folder on its disk, and the path. So it is found again after the folder was moved, the repository was cloned again,
 * or the folder became a repository.
 */
import { createHash } from "node:crypto";
import { existsSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { readTextFile, writeWhole } from "@bough/session/log/index.js";
import { attempt, isRecord, parsedJson } from "@bough/session/text/index.js";
import { gitPlace, indexedCount } from "./scan/git-files.js";
import { runGit } from "./scan/run-git.js";
import { MOST_FILES } from "./scan/scanner.js";

export interface FilesRoot {
  /** A real path: the top of the git repository, or the working folder. */
  readonly root: string;
  readonly isGit: boolean;
  /** The folder of the store. */
  readonly store: string;
  /** Keys that find the store. */
  readonly keys: readonly string[];
  /** The first commit of the repository that the root is in. */
  readonly commit?: string;
}

/**
 * Files are not recorded there: it is a home folder, the system root or the inside of a repository, its repository
 * keeps its files elsewhere, it holds too many files, or it does not exist.
 */
export interface NoFilesRoot {
  readonly off: "home" | "system" | "repository" | "many" | "gone" | "worktree";
}

/** `home` is `$BOUGH_HOME`. Writes nothing. */
export async function filesRoot(cwd: string, home: string): Promise<FilesRoot | NoFilesRoot> {
  const folder = attempt(() => realpathSync(cwd));
  if (folder === undefined) return { off: "gone" };
  const git = await gitPlace(folder);
  if (git === undefined && isInsideRepository(folder)) return { off: "repository" };
  // A project's settings (`core.worktree`) may name any folder of this machine.
  if (git !== undefined && !isWithin(folder, git.top)) return { off: "worktree" };
  // A repository over a whole home folder is not one project: use the working folder as the root.
  const isGit = git !== undefined && tooWide(git.top) === undefined;
  const root = isGit ? git.top : folder;
  const off = tooWide(root);
  if (off !== undefined) return { off };
  if (isGit && indexedCount(git.index) > MOST_FILES) return { off: "many" };
  const own = identityKey(root);
  const known = own === undefined ? undefined : knownStore(home, own);
  const first = known?.commit ?? (git === undefined ? undefined : await firstCommit(root));
  const commit =
    first === undefined
      ? []
      : [
          keyOf(
            first,
            relative(git?.top ?? root, root)
              .split(sep)
              .join("/"),
          ),
        ];
  const keys = [...commit, ...(own === undefined ? [] : [own]), ...(commit.length > 0 ? [] : [keyOf(root)])];
  const name = known?.store ?? keys.map((key) => knownStore(home, key)?.store).find((one) => one !== undefined);
  const store = join(home, "files", name ?? commit[0] ?? keyOf(root));
  return { root, isGit, store, keys, commit: first };
}

/** Saves the keys of a store. Call it before storing anything there. */
export function rememberRoot({ store, keys, commit }: FilesRoot): void {
  const value = { store: basename(store), commit };
  for (const key of keys) {
    const known = knownStore(dirname(dirname(store)), key);
    if (known?.store === value.store && known.commit === value.commit) continue;
    const file = keyFile(dirname(dirname(store)), key);
    writeWhole(file, `${JSON.stringify(value)}\n`, { existing: "replace", durable: false });
  }
}

/** Forgets which store a folder has that is about to be removed. The store itself stays. */
export function forgetRoot(root: string, home: string): void {
  const key = attempt(() => identityKey(root));
  if (key !== undefined) rmSync(keyFile(home, key), { force: true });
}

function keyFile(home: string, key: string): string {
  return join(home, "files", "roots", key);
}

interface KnownStore {
  readonly store: string;
  /** The first commit when the store was found. */
  readonly commit?: string;
}

function knownStore(home: string, key: string): KnownStore | undefined {
  const read = readTextFile(keyFile(home, key));
  const value = read.kind === "text" ? parsedJson(read.text) : undefined;
  if (!isRecord(value) || typeof value.store !== "string" || !/^[0-9a-f]{32}$/.test(value.store)) {
    return existsSync(join(home, "files", key)) ? { store: key } : undefined;
  }
  return { store: value.store, commit: typeof value.commit === "string" ? value.commit : undefined };
}

async function firstCommit(root: string): Promise<string | undefined> {
  const said = await runGit(["rev-list", "--max-parents=0", "HEAD"], { cwd: root });
  return said?.toString().trim().split("\n").sort()[0] || undefined;
}

/** Identifies the same folder after it was moved on its disk. */
function identityKey(root: string): string | undefined {
  const { ino, birthtimeMs } = statSync(root);
  return ino > 0 && birthtimeMs > 0 ? keyOf("folder", String(ino), String(birthtimeMs)) : undefined;
}

function keyOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
}

/** A home folder and `/` contain everything, so they are never a root. */
function tooWide(root: string): "system" | "home" | undefined {
  if (root === dirname(root)) return "system";
  return root === (attempt(() => realpathSync(homedir())) ?? homedir()) ? "home" : undefined;
}

function isWithin(folder: string, top: string): boolean {
  const below = relative(attempt(() => realpathSync(top)) ?? top, folder);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** In a `.git` folder, or in a bare repository. */
function isInsideRepository(folder: string): boolean {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    if (basename(at) === ".git") return true;
    if (["HEAD", "objects", "refs"].every((name) => existsSync(join(at, name)))) return true;
  }
  return false;
}
