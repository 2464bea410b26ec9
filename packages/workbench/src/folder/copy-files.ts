/** Copies files with their times, links and permissions; by reference where the file system can share contents. */
import {
  chmodSync,
  constants,
  copyFile,
  copyFileSync,
  type Dirent,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { itemsIn, makeFolder, WorkTurns } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
  /** Called for each file. */
  readonly onFile?: (() => void) | undefined;
}

/** What was not copied. */
export interface LeftFile {
  readonly path: string;
  readonly why: "unreadable" | "special";
}

/** Folders that were made in the target; false for what is no folder of its own, on either side. */
type MadeFolders = Map<string, boolean>;

/** A file that is being written all the time is copied as it is then. */
const MOST_AGAIN = 3;

/**
 * Copies these paths, relative to both folders, and makes the folders above them. A path that is gone, or became a
 * folder, is skipped, and so is what is behind a link: nothing outside of the target is written. Files that change
 * meanwhile are copied again.
 */
export async function copyFiles(paths: readonly string[], options: CopyOptions): Promise<readonly LeftFile[]> {
  const { from, to } = options;
  const folders: MadeFolders = new Map();
  const left: LeftFile[] = [];
  const seen = new Map<string, Stats>();
  let todo = paths;
  for (let round = 0; todo.length > 0 && round <= MOST_AGAIN; round++) {
    await inTurns(todo, options, (path) => {
      const source = join(from, path);
      const stats = statsOf(source);
      if (stats === undefined || stats.isDirectory()) {
        if (round > 0) rmSync(join(to, path), { force: true });
        return;
      }
      if (!sameFolder(dirname(path), { from, to, folders })) return;
      seen.set(path, stats);
      const why = copyOne(source, join(to, path), { stats, isAgain: round > 0 });
      if (why !== undefined) left.push({ path, why });
      if (round === 0) options.onFile?.();
    });
    // Someone may have written while the copy was made.
    todo = todo.filter((path) => {
      const before = seen.get(path);
      if (before?.isFile() !== true) return false;
      const now = statsOf(join(from, path));
      return now === undefined || now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino;
    });
  }
  return left;
}

/** Runs the work for every item, in slices that let other work run. */
async function inTurns<Item>(
  items: readonly Item[],
  { signal }: Pick<CopyOptions, "signal">,
  work: (item: Item) => void,
): Promise<void> {
  const turns = new WorkTurns();
  for (const item of items) {
    signal?.throwIfAborted();
    work(item);
    if (turns.isDue) await turns.yieldNow();
  }
}

/** Why it was not copied. Throws what concerns the target, such as a full disk. */
function copyOne(
  source: string,
  target: string,
  { stats, isAgain }: { readonly stats: Stats; readonly isAgain: boolean },
): LeftFile["why"] | undefined {
  if (isAgain) rmSync(target, { force: true });
  if (stats.isSymbolicLink()) {
    const link = attempt(() => readlinkSync(source));
    if (link !== undefined) symlinkSync(link, target);
    return undefined;
  }
  if (!stats.isFile()) return "special";
  try {
    // On a busy machine, handing each file to another thread takes far longer than copying it.
    copyFileSync(source, target, constants.COPYFILE_FICLONE);
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException;
    if (error.code === "ENOENT" && statsOf(source) === undefined) return undefined;
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
    rmSync(target, { force: true });
    return "unreadable";
  }
  utimesSync(target, stats.atimeMs / 1000, stats.mtimeMs / 1000);
  return undefined;
}

/**
 * Makes a folder and those above it, with the permissions of the originals, and always writable for us. False if a link
 * stands there: git lists the files of a folder that a link has replaced as well.
 */
function sameFolder(
  folder: string,
  { from, to, folders }: Pick<CopyOptions, "from" | "to"> & { readonly folders: MadeFolders },
): boolean {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const isMade = folder === "." ? madeRoot(to) : sameFolder(dirname(folder), { from, to, folders }) && made(folder);
  folders.set(folder, isMade);
  return isMade;

  function made(path: string): boolean {
    const target = join(to, path);
    const stats = statsOf(join(from, path));
    if (stats?.isDirectory() === false) return false;
    attempt(() => mkdirSync(target));
    if (statsOf(target)?.isDirectory() !== true) return false;
    if (stats !== undefined) chmodSync(target, (stats.mode & 0o777) | 0o700);
    return true;
  }
}

function madeRoot(to: string): boolean {
  makeFolder(to);
  return true;
}

/** Everything below a folder except what `isLeftOut` says: files and links, and folders without any. */
export function* walkFolder(
  root: string,
  isLeftOut: (path: string, item: Dirent) => boolean = () => false,
): Generator<{ readonly path: string; readonly isFolder: boolean }> {
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const at = folder;
    const pathOf = (name: string) => (at === "" ? name : `${at}/${name}`);
    const items = itemsIn(join(root, at)).filter((item) => !isLeftOut(pathOf(item.name), item));
    for (const item of items) {
      if (item.isDirectory()) waiting.push(pathOf(item.name));
      else yield { path: pathOf(item.name), isFolder: false };
    }
    if (items.length === 0 && at !== "") yield { path: at, isFolder: true };
  }
}

/** Copies everything below a folder; what `isLinked` says is hard-linked if that is possible. */
export async function copyTree(
  options: CopyOptions & {
    readonly isLeftOut?: (path: string, item: Dirent) => boolean;
    readonly isLinked?: (path: string) => boolean;
  },
): Promise<readonly LeftFile[]> {
  const { from, to, isLeftOut, isLinked = () => false } = options;
  const files: string[] = [];
  const folders: MadeFolders = new Map();
  for (const { path, isFolder } of walkFolder(from, isLeftOut)) {
    options.signal?.throwIfAborted();
    if (isFolder) sameFolder(path, { from, to, folders });
    else if (!isLinked(path) || !linked(path, { from, to, folders })) files.push(path);
  }
  return copyFiles(files, options);
}

function linked(
  path: string,
  { from, to, folders }: Pick<CopyOptions, "from" | "to"> & { readonly folders: MadeFolders },
): boolean {
  if (!sameFolder(dirname(path), { from, to, folders })) return false;
  attempt(() => linkSync(join(from, path), join(to, path)));
  return statsOf(join(to, path)) !== undefined;
}

/** Whether files can share their contents there until one of them is changed. */
export async function canShare(from: string, to: string): Promise<boolean> {
  const target = join(to, ".bough-share-test");
  makeFolder(to);
  const error = await new Promise<unknown>((settle) => {
    copyFile(from, target, constants.COPYFILE_FICLONE_FORCE, settle);
  });
  rmSync(target, { force: true });
  return error === null;
}

/** Makes absolute links into one folder lead to the same place in another. */
export function turnLinks(folder: string, { from, to }: { readonly from: string; readonly to: string }): void {
  for (const { path, isFolder } of walkFolder(folder)) {
    if (isFolder || statsOf(join(folder, path))?.isSymbolicLink() !== true) continue;
    const link = readlinkSync(join(folder, path));
    if (!isAbsolute(link) || !(link === from || link.startsWith(`${from}/`))) continue;
    rmSync(join(folder, path));
    symlinkSync(to + link.slice(from.length), join(folder, path));
  }
}

function statsOf(path: string): Stats | undefined {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }));
}
