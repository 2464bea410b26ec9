/** The second half of a restore: every prepared content takes its place, and what is to go is deleted. Or nothing does. */
import { mkdirSync, readdirSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { WorkTurns } from "../../log/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { RealFolders, statsOf } from "../real-folders.js";
import { type JournalFile, removeJournal } from "./journal.js";

/** Renames that run side by side. */
const AT_A_TIME = 16;

export function takeBackRestore(file: JournalFile): void {
  const { root, steps } = file.journal;
  for (const { temporary } of steps) if (temporary !== undefined) rmSync(join(root, temporary), { force: true });
  removeJournal(file);
}

/** May be run again from the start: what is done already is passed over. `left` are paths that stay as they are. */
export async function finishRestore(file: JournalFile, left: ReadonlySet<string> = new Set()): Promise<void> {
  const { root, steps: all } = file.journal;
  for (const { path, temporary } of all) {
    if (left.has(path) && temporary !== undefined) rmSync(join(root, temporary), { force: true });
  }
  const steps = all.filter(({ path }) => !left.has(path));
  const folders = new RealFolders(root);
  const turns = new WorkTurns();
  const pause = async () => {
    if (!turns.isDue) return;
    await turns.yieldNow();
    folders.forget();
  };
  // First what goes: a folder may take the place of a file, and a file that of a folder.
  const emptied = new Set<string>();
  for (const { path, temporary } of steps) {
    if (temporary !== undefined) continue;
    await pause();
    if (folders.above(path) !== undefined) continue;
    if (removeFile(join(root, path))) emptied.add(dirname(path));
  }
  removeEmptyFolders(root, emptied);
  folders.forget();
  const placed = steps.flatMap(({ path, temporary }) => (temporary === undefined ? [] : [{ path, temporary }]));
  for (let at = 0; at < placed.length; at += AT_A_TIME) {
    folders.forget();
    // A system that puts the contents on the disk before each rename does so for several at once.
    const done = await Promise.allSettled(placed.slice(at, at + AT_A_TIME).map((step) => place(step, folders)));
    const failed = done.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }
  removeJournal(file);
}

interface Placed {
  readonly path: string;
  readonly temporary: string;
}

/** A folder is left alone: it is not what was to go. */
function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A run before this one removed it, and perhaps not its folder any more.
    if (code === "ENOENT") return true;
    if (statsOf(path)?.isDirectory() === true) return false;
    throw error;
  }
}

async function place({ path, temporary }: Placed, folders: RealFolders): Promise<void> {
  const [from, to] = [join(folders.root, temporary), join(folders.root, path)];
  if (statsOf(from) === undefined) return;
  if (folders.above(path) === "missing") {
    mkdirSync(dirname(to), { recursive: true });
    folders.forget();
  }
  if (folders.above(path) !== undefined) throw unsafePath(path);
  try {
    await rename(from, to);
  } catch (error) {
    if (statsOf(to)?.isDirectory() !== true) throw error;
    removeEmptyTree(to);
    await rename(from, to);
  }
}

function unsafePath(path: string): CheckpointError {
  return new CheckpointError("unsafe-path", `${path} leads through a link or a file`, {
    data: { path },
    hint: "Move what is in the way, and start again in this folder: the restore is finished then.",
  });
}

/** Deepest first, and each once. */
function removeEmptyFolders(root: string, emptied: ReadonlySet<string>): void {
  const all = new Set<string>();
  for (const start of emptied) {
    for (let folder = start; folder !== "." && !all.has(folder); folder = dirname(folder)) all.add(folder);
  }
  const kept = new Set<string>();
  for (const folder of [...all].sort((a, b) => b.length - a.length)) {
    if (kept.has(folder)) {
      kept.add(dirname(folder));
      continue;
    }
    try {
      rmdirSync(join(root, folder));
    } catch {
      // It holds something, is not ours to remove, or is gone already.
      if (statsOf(join(root, folder)) !== undefined) kept.add(dirname(folder));
    }
  }
}

/** Throws if there is anything but folders in it. */
function removeEmptyTree(folder: string): void {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    if (item.isDirectory()) removeEmptyTree(join(folder, item.name));
  }
  rmdirSync(folder);
}
