/**
 * What a restore is about to do, on disk before it starts. If the process dies, the next one in this root undoes or
 * finishes the restore: files are as before or as after, never in between.
 *
 * `<id>.prepare`: new contents are being written next to their targets; nothing has changed yet. `<id>.commit`: all of
 * them are written; each is being moved into place, and deletions are done.
 *
 * A power cut can lose the rename from one to the other, so after one the files themselves show how far it came. When
 * all is done the journal is kept for a while among the placed restores.
 *
 * Reading or writing one requires the lock of its root.
 */
import { closeSync, fdatasync, fsync, openSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { FileState } from "@bough/session/entry/index.js";
import { fileDeltas, isFilePath } from "@bough/session/entry/internal.js";
import {
  isLeftBehind,
  itemsIn,
  namesIn,
  OWNER_MARK,
  ownerMark,
  thisBoot,
  writeWhole,
} from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";

const fdatasyncLater = promisify(fdatasync);
const fsyncLater = promisify(fsync);

export interface JournalStep {
  readonly path: string;
  /** Undefined: the path is deleted. Otherwise the prepared file that replaces it, relative to the root. */
  readonly temporary?: string;
  /** What was there when the restore started, and what is wanted. */
  readonly present: FileState;
  readonly wanted: FileState;
}

export interface Journal {
  readonly root: string;
  readonly steps: readonly JournalStep[];
  /** Folders to keep even if they become empty. */
  readonly folders?: readonly string[];
  /** Identifies the system boot it was written in. */
  readonly boot?: string;
}

export interface JournalFile {
  readonly path: string;
  readonly phase: "prepare" | "commit" | "placed";
  readonly journal: Journal;
}

export function journalFolder(store: string): string {
  return join(store, "journal");
}

/** Not synced yet: as long as nothing has changed, losing it in a power cut is harmless. */
export function writeJournal(
  store: string,
  id: string,
  { root, steps, folders = [] }: Omit<Journal, "boot">,
): JournalFile {
  const path = join(journalFolder(store), `${id}.${ownerMark()}.prepare`);
  const journal = { root, boot: thisBoot(), steps, ...(folders.length === 0 ? {} : { folders }) };
  writeWhole(path, JSON.stringify(journal), { existing: "refuse", durable: false });
  return { path, phase: "prepare", journal };
}

/** Waits until it is synced, which must happen before the commit. Other work can run meanwhile. */
export async function syncJournal({ path }: JournalFile): Promise<void> {
  await syncing(path, fdatasyncLater);
  // Not every system can sync a folder.
  if (process.platform !== "win32") await syncing(dirname(path), fsyncLater);
}

async function syncing(path: string, sync: (descriptor: number) => Promise<void>): Promise<void> {
  const descriptor = openSync(path, "r");
  try {
    await sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** From here on the restore will be finished, whatever happens. */
export function commitJournal(file: JournalFile): JournalFile {
  const path = file.path.replace(/\.prepare$/, ".commit");
  renameSync(file.path, path);
  return { ...file, path, phase: "commit" };
}

export function removeJournal({ path }: JournalFile): void {
  rmSync(path, { force: true });
}

/** `.new` is a journal that was still being written. */
const NAME = new RegExp(`(${OWNER_MARK})\\.(prepare|commit|new)$`);

/** Journals of unfinished restores in a root. An unreadable one was never complete, so nothing was done after it. */
export function journalsLeft(store: string, root: string): readonly JournalFile[] {
  const found: JournalFile[] = [];
  for (const { name } of itemsIn(journalFolder(store))) {
    const [, mark, phase] = NAME.exec(name) ?? [];
    if (mark === undefined) continue;
    const path = join(journalFolder(store), name);
    const journal = phase === "new" ? undefined : journalIn(path);
    if (journal !== undefined && (phase === "prepare" || phase === "commit")) {
      if (journal.root === root) found.push({ path, phase, journal });
      // It may belong to another root whose owner is still working.
    } else if (isLeftBehind(mark)) rmSync(path, { force: true });
  }
  return found;
}

/** Files of unfinished restores past their point of no return, in any root. */
export function committedNames(store: string): readonly string[] {
  return namesIn(journalFolder(store)).filter((name) => name.endsWith(".commit"));
}

/** Whether there is anything to settle, in any root. */
export function hasJournals(store: string): boolean {
  return itemsIn(journalFolder(store)).length > 0;
}

/** Whether the power may have been cut since, so that unsynced data may be lost. */
export function isFromAnotherBoot({ journal }: JournalFile): boolean {
  return journal.boot !== undefined && journal.boot !== thisBoot();
}

export function journalIn(path: string): Journal | undefined {
  const value = parsedJson(readFileSync(path, "utf8"));
  if (!isRecord(value) || typeof value.root !== "string" || !Array.isArray(value.steps)) return undefined;
  const steps = value.steps.filter(isStep);
  if (steps.length !== value.steps.length) return undefined;
  const { boot, folders } = value;
  return {
    root: value.root,
    steps,
    ...(typeof boot === "string" ? { boot } : {}),
    ...(Array.isArray(folders) ? { folders: folders.filter((one) => typeof one === "string") } : {}),
  };
}

function isStep(value: unknown): value is JournalStep {
  if (!isRecord(value)) return false;
  const { path, temporary, present, wanted } = value;
  if (fileDeltas([{ path, before: present, after: wanted }]) === undefined) return false;
  return temporary === undefined || (typeof temporary === "string" && isFilePath(temporary));
}
