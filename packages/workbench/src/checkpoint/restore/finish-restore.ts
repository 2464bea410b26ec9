/**
 * The second half of a restore: moves every prepared content into place and deletes what has to go, or undoes the
 * preparation.
 */
import { readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { sameFile } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { diskFile } from "../disk-file.js";
import { foldersAbove, RealFolders, statsOf } from "../real-folders.js";
import { signatureOf } from "../scan/signature.js";
import { foldedName } from "./folded-name.js";
import { HeldFolders } from "./held-folders.js";
import { type JournalFile, type JournalStep, removeJournal } from "./journal.js";
import { keepPlaced } from "./placed-restores.js";

/**
 * Linux file systems write a new file to the disk when it is renamed over an old one, and only then. So the old one is
 * deleted first; if this process dies in between, the journal says which file belongs there.
 */
const OLD_GOES_FIRST = process.platform === "linux";

export function takeBackRestore(file: JournalFile): void {
  const { root, steps } = file.journal;
  const held = new HeldFolders(root);
  for (const { temporary } of steps) removeTemporary(held, temporary);
  held.forget();
  removeJournal(file);
}

function removeTemporary(held: HeldFolders, temporary: string | undefined): void {
  const path = temporary === undefined ? undefined : held.at(temporary);
  if (path !== undefined) rmSync(path, { force: true });
}

export interface FinishOptions {
  /** The signature of each path when it last matched the journal. */
  readonly seen: ReadonlyMap<string, number>;
  /** Paths that stay as they are. */
  readonly left?: ReadonlySet<string>;
}

/**
 * Can be run again from the start: finished steps are skipped. Returns the paths that were left alone: those in `left`,
 * and those that someone else changed meanwhile.
 */
export async function finishRestore(
  file: JournalFile,
  { seen, left: given = new Set() }: FinishOptions,
): Promise<readonly string[]> {
  const { root, steps: all, folders: own = [] } = file.journal;
  const left = new Set(given);
  const held = new HeldFolders(root);
  for (const { path, temporary } of all) if (left.has(path)) removeTemporary(held, temporary);
  const steps = all.filter(({ path }) => !left.has(path));
  const folders = new RealFolders(root);
  const turns = new WorkTurns();
  const pause = async () => {
    if (!turns.isDue) return;
    held.forget();
    await turns.yieldNow();
    folders.forget();
  };
  try {
    // Deletions first: a folder may replace a file, and a file a folder.
    const emptied = new Set<string>();
    for (const step of steps) {
      const { path, temporary } = step;
      if (temporary !== undefined) continue;
      await pause();
      if (folders.above(path) !== undefined) continue;
      const signature = signatureAt(folders, path);
      if (!isAsSeen(step, { signature, folders, seen })) left.add(path);
      else if (removeFile(held.at(path))) emptied.add(dirname(path));
    }
    removeEmptyFolders(held, { emptied, own: new Set(own) });
    for (const step of inOrder(steps)) {
      await pause();
      if (place(step, { folders, held, seen }) === "left") left.add(step.path);
    }
  } finally {
    held.forget();
  }
  keepPlaced(file);
  return all.flatMap(({ path }) => (left.has(path) ? [path] : []));
}

/** A folder changes with every file that is prepared in it; whether it can be removed is checked at removal. */
export function signatureAt(folders: RealFolders, path: string): number {
  if (folders.above(path) !== undefined) return 0;
  const stats = statsOf(join(folders.root, path));
  return stats === undefined || stats.isDirectory() ? 0 : signatureOf(stats);
}

/** Nothing else was put there, so replacing it loses nothing. */
function isAsSeen(
  { path, present, wanted }: JournalStep,
  { signature, folders, seen }: { signature: number; folders: RealFolders; seen: FinishOptions["seen"] },
): boolean {
  if (signature === 0 || signature === seen.get(path)) return true;
  // The times of a file also change when one of its hard links is removed.
  const disk = diskFile(folders.root, path, folders);
  return disk.kind === "file" && (sameFile(disk.state, present) || sameFile(disk.state, wanted));
}

/** A path below another one, even in another spelling, comes later. */
function inOrder(steps: readonly JournalStep[]): readonly JournalStep[] {
  const placed = steps.filter(({ temporary }) => temporary !== undefined);
  const names = new Set(placed.map(({ path }) => foldedName(path)));
  const isBelow = ({ path }: JournalStep) => foldersAbove(foldedName(path)).some((folder) => names.has(folder));
  const below = new Set(placed.filter(isBelow));
  return [...placed.filter((step) => !below.has(step)), ...below];
}

/** Leaves folders alone, because only files are deleted here, and anything that cannot be reached. */
function removeFile(path: string | undefined): boolean {
  if (path === undefined) return false;
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // An earlier run removed it, but perhaps not its folder.
    if (code === "ENOENT") return true;
    if (statsOf(path)?.isDirectory() === true) return false;
    throw error;
  }
}

interface Placing {
  readonly folders: RealFolders;
  readonly held: HeldFolders;
  readonly seen: FinishOptions["seen"];
}

function place(step: JournalStep, { folders, held, seen }: Placing): "placed" | "left" {
  const { path, temporary = "", wanted } = step;
  const from = held.at(temporary);
  if (from === undefined || statsOf(from) === undefined) return "placed";
  const leave = () => {
    rmSync(from, { force: true });
    return "left" as const;
  };
  const to = held.made(path);
  if (folders.above(path) === "missing") folders.forget();
  // Someone put a link or a file in place of a folder, or this file system does not allow the name.
  if (to === undefined || folders.above(path) !== undefined) return leave();
  const signature = signatureAt(folders, path);
  // Someone saved the file.
  if (!isAsSeen(step, { signature, folders, seen })) return leave();
  try {
    if (OLD_GOES_FIRST && signature !== 0 && wanted !== null && "hash" in wanted) removeFile(to);
    renameSync(from, to);
  } catch (error) {
    if (NO_SUCH_NAME.has((error as NodeJS.ErrnoException).code ?? "")) return leave();
    if (statsOf(to)?.isDirectory() !== true) throw error;
    if (!removeEmptyTree(to)) return leave();
    renameSync(from, to);
  }
  return "placed";
}

/** Error codes for names that a file system does not allow. */
const NO_SUCH_NAME: ReadonlySet<string> = new Set(["ENAMETOOLONG", "EINVAL", "EILSEQ", "ELOOP"]);

/** Deepest first and each once, except folders that exist on their own. */
function removeEmptyFolders(
  held: HeldFolders,
  { emptied, own }: { readonly emptied: ReadonlySet<string>; readonly own: ReadonlySet<string> },
): void {
  const all = new Set<string>();
  for (const start of emptied) {
    for (let folder = start; folder !== "." && !all.has(folder); folder = dirname(folder)) all.add(folder);
  }
  const kept = new Set(own);
  for (const folder of [...all].sort((a, b) => b.length - a.length)) {
    if (kept.has(folder)) {
      kept.add(dirname(folder));
      continue;
    }
    const path = held.at(folder);
    if (path === undefined) continue;
    try {
      rmdirSync(path);
    } catch {
      // Not empty, not ours to remove, or already gone.
      if (statsOf(path) !== undefined) kept.add(dirname(folder));
    }
    // Do not hold a descriptor of a removed folder.
    held.forget();
  }
}

/** False if it contains anything but folders. */
function removeEmptyTree(folder: string): boolean {
  const items = readdirSync(folder, { withFileTypes: true });
  if (!items.every((item) => item.isDirectory() && removeEmptyTree(join(folder, item.name)))) return false;
  rmdirSync(folder);
  return true;
}
