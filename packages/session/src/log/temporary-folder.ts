/** A folder that only its owner may enter, for as long as something is being made or looked at in it. */
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
 * Goes away when it is removed, or when the process ends without that: a second Ctrl+C waits for nothing. What a killed
 * process left behind goes when another one makes its first folder.
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

/** The same without holding up other work: the folder for temporary files may have thousands of others in it. */
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
      // Another process removes it right now, or it is not ours to remove.
    }
  }
}

/** The folder for temporary files is everyone's: a name alone proves nothing. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}
