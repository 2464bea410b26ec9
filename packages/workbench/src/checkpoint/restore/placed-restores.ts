/**
 * Completed restores. The system may write their files to disk much later, so their journals are kept for a while:
 * after a power cut they show which files to check.
 *
 * Reading or writing one requires the lock of its root.
 */
import { renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder, namesIn, thisBoot } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { committedNames, type JournalFile, journalIn } from "./journal.js";

/** Much longer than any system delays writes. */
const KEPT_MS = 60 * 60_000;
/** For journals from before a restart: the project may not be opened again for weeks. */
const LONG_MS = 90 * 24 * 60 * 60_000;

export interface PlacedRestore extends JournalFile {
  readonly phase: "placed";
  /** When its last file was placed, in milliseconds. */
  readonly at: number;
}

/** Called before anything changes: after the last file there may be no disk space. */
export function makePlacedFolder(store: string): string {
  const folder = join(store, "placed");
  makeFolder(folder);
  return folder;
}

let last = 0;

/** Call it when all files of a restore are in place. */
export function keepPlaced({ path }: JournalFile): void {
  const [id] = basename(path).split(".");
  // The clock may not have advanced since the last restore.
  last = Math.max(Date.now(), last + 1);
  renameSync(path, join(makePlacedFolder(dirname(dirname(path))), `${id}.${last}.${thisBoot()}`));
}

/** Whether a restore got past its point of no return, as far back as journals are kept. */
export function isRestored(store: string, id: string): boolean {
  const isIts = (name: string) => name.startsWith(`${id}.`);
  return namesIn(join(store, "placed")).some(isIts) || committedNames(store).some(isIts);
}

interface PlacedName {
  readonly path: string;
  readonly at: number;
  readonly isFromAnotherBoot: boolean;
}

function placedNames(store: string): readonly PlacedName[] {
  const boot = thisBoot();
  return namesIn(join(store, "placed")).flatMap((name) => {
    const [, at = "", its] = name.split(".");
    if (!/^\d+$/.test(at) || its === undefined) return [];
    return [{ path: join(store, "placed", name), at: Number(at), isFromAnotherBoot: its !== boot }];
  });
}

/** Whether files may have been lost since they were restored, in any root. */
export function hasPlacedBefore(store: string): boolean {
  return placedNames(store).some((one) => one.isFromAnotherBoot);
}

/** Restores in a root since which the power may have been cut, newest first. */
export function placedBefore(store: string, root: string): readonly PlacedRestore[] {
  const found: PlacedRestore[] = [];
  for (const { path, at, isFromAnotherBoot } of placedNames(store)) {
    if (!isFromAnotherBoot) continue;
    const journal = attempt(() => journalIn(path));
    if (journal?.root === root) found.push({ path, phase: "placed", journal, at });
  }
  return found.sort((a, b) => b.at - a.at);
}

/** Deletes journals whose files are on disk by now, and very old ones; in any root. */
export function forgetPlaced(store: string): void {
  const now = Date.now();
  for (const { path, at, isFromAnotherBoot } of placedNames(store)) {
    if (now - at > (isFromAnotherBoot ? LONG_MS : KEPT_MS)) rmSync(path, { force: true });
  }
}
