/** A private folder for temporary work. */
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inOneGo, type Steps } from "../text/index.js";
import { namesIn } from "./names-in.js";
import { isLeftBehind, OWNER_MARK, ownerMark } from "./owner-mark.js";
import { inSlices } from "./work-turns.js";

export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

const FOLDERS = new Set<string>();
let sweptFolder: string | undefined;

/**
 * Removed by `remove`, or at the latest when the process exits: a second Ctrl+C waits for nothing. Folders of killed
 * processes are removed when another process creates its first one.
 */
export function temporaryFolder(name: string): TemporaryFolder {
  if (sweptFolder !== tmpdir()) {
    sweptFolder = tmpdir();
    removeLeftFolders();
  }
  // `mkdtemp` makes folders private.
  const path = mkdtempSync(join(tmpdir(), `bough-${name}-${ownerMark()}-`));
  if (FOLDERS.size === 0) process.on("exit", removeAll);
  FOLDERS.add(path);
  const remove = () => {
    rmSync(path, { recursive: true, force: true });
    FOLDERS.delete(path);
    if (FOLDERS.size === 0) process.off("exit", removeAll);
  };
  return { path, remove };
}

/** Like `temporaryFolder`, without blocking other work: the system's temporary folder may hold thousands of others. */
export async function temporaryFolderInSlices(name: string): Promise<TemporaryFolder> {
  if (sweptFolder !== tmpdir()) {
    sweptFolder = tmpdir();
    await inSlices(removingLeft(await readdir(sweptFolder).catch(() => [])));
  }
  return temporaryFolder(name);
}

function removeAll(): void {
  for (const folder of FOLDERS) rmSync(folder, { recursive: true, force: true });
}

const NAME = new RegExp(`^bough-[a-z]+-(${OWNER_MARK})-[A-Za-z0-9]{6}$`);

/** Removes the folders of processes that have ended. */
export function removeLeftFolders(): void {
  inOneGo(removingLeft(namesIn(tmpdir())));
}

function* removingLeft(names: readonly string[]): Steps<void> {
  for (const name of names) {
    yield;
    const mark = NAME.exec(name)?.[1];
    if (mark === undefined || !isLeftBehind(mark)) continue;
    const path = join(tmpdir(), name);
    try {
      if (isOwn(path)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process is removing it, or it is not ours to remove.
    }
  }
}

/** The system's temporary folder is shared: a name alone proves nothing. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}
