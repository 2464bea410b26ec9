/**
 * Brings files to the states of a plan. New contents are all written beside their places first, so a full disk is found
 * before anything changed; then each takes its place by a rename. What was there is in the store before that.
 */
import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileState } from "../../entry/index.js";
import { sameFile } from "../../entry/internal.js";
import { errorText } from "../../text/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { diskFile, parentOf, statsOf } from "../disk-file.js";
import { signatureOf } from "../scan/file-table.js";
import type { BlobStore } from "../store/blob-store.js";
import {
  commitJournal,
  type JournalFile,
  type JournalStep,
  journalsLeft,
  removeJournal,
  writeJournal,
} from "./journal.js";
import type { FilePlan, PlannedFile } from "./plan-files.js";

export interface ApplyOptions {
  readonly store: BlobStore;
  readonly signal?: AbortSignal;
}

/**
 * Throws `files-changed` if a file is no longer what the plan saw, and `restore-failed` if the system refuses; then
 * everything is as it was. Once the first file has taken its place, it runs to the end.
 */
export async function applyFiles({ root, files }: FilePlan, { store, signal }: ApplyOptions): Promise<void> {
  if (files.length === 0) return;
  const seen = await secure(root, files, store);
  signal?.throwIfAborted();
  const id = randomUUID();
  const steps = files.map((file, at) => stepOf(file, { root, temporary: `.bough-${id}-${at}` }));
  let journal = writeJournal(store.folder, id, { root, steps });
  try {
    for (const step of steps) {
      signal?.throwIfAborted();
      await prepare(step, { root, store });
    }
    // What happened while the contents were written counts too.
    checkUnchanged(root, seen);
    journal = commitJournal(journal);
  } catch (error) {
    takeBack(journal);
    if (error instanceof CheckpointError || signal?.aborted === true) throw error;
    throw new CheckpointError("restore-failed", `Files were not restored: ${errorText(error)}`, {
      data: { root },
      hint: "Nothing was changed. Check the free space and the permissions, and try again.",
      cause: error,
    });
  }
  finish(journal);
}

export interface SettledRestore {
  readonly root: string;
  /** `before`: nothing had changed yet, and nothing has. `after`: the restore is complete now. */
  readonly now: "before" | "after";
  /** Paths that someone else changed since. They are left as they are. */
  readonly left: readonly string[];
}

/** Takes back or finishes what processes that died left behind. To be called before anything else in a root. */
export async function settleRestores(store: string): Promise<readonly SettledRestore[]> {
  const settled: SettledRestore[] = [];
  for (const file of journalsLeft(store)) {
    const { root, steps } = file.journal;
    if (file.phase === "prepare") {
      takeBack(file);
      settled.push({ root, now: "before", left: [] });
      continue;
    }
    const left = await changedSince(root, steps);
    finish(file, new Set(left));
    settled.push({ root, now: "after", left });
  }
  return settled;
}

/** Steps that are still to be done, on a path that is no longer what it was. */
async function changedSince(root: string, steps: readonly JournalStep[]): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { path, temporary, present } of steps) {
    if (temporary !== undefined && statsOf(join(root, temporary)) === undefined) continue;
    const disk = await diskFile(root, path);
    if (disk.kind === "blocked" ? present !== null : disk.state !== null && !sameFile(disk.state, present))
      changed.push(path);
  }
  return changed;
}

/**
 * The present contents are stored before they are replaced, so that going back is always possible. Answers what each file
 * looked like just before it was read.
 */
async function secure(
  root: string,
  files: readonly PlannedFile[],
  store: BlobStore,
): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  for (const { path, present } of files) {
    seen.set(path, signatureAt(root, path));
    const disk = await diskFile(root, path);
    // A folder in the way, or a file above, goes with the same plan.
    const isAsPlanned = disk.kind === "file" ? sameFile(disk.state, present) : present === null;
    if (!isAsPlanned) throw changedMeanwhile(path);
    if (disk.kind === "file" && disk.content !== undefined) await store.put(disk.content, { durable: true });
  }
  return seen;
}

function checkUnchanged(root: string, seen: ReadonlyMap<string, string>): void {
  for (const [path, signature] of seen) if (signatureAt(root, path) !== signature) throw changedMeanwhile(path);
}

/** A folder changes with every file that is prepared in it; whether it can be taken away is seen when it is. */
function signatureAt(root: string, path: string): string {
  if (parentOf(root, path) !== undefined) return "";
  const stats = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
  return stats === undefined || stats.isDirectory() ? "" : signatureOf(stats);
}

function changedMeanwhile(path: string): CheckpointError {
  return new CheckpointError("files-changed", `${path} changed while it was about to be restored`, {
    data: { path },
    hint: "Nothing was restored. Look at the plan again.",
  });
}

function stepOf(
  { path, present, wanted }: PlannedFile,
  at: { readonly root: string; readonly temporary: string },
): JournalStep {
  if (wanted === null) return { path, present, wanted };
  const folder = realFolderAbove(at.root, path);
  return { path, present, wanted, temporary: folder === "" ? at.temporary : `${folder}/${at.temporary}` };
}

/** The nearest folder above a path that is there already, so that the rename stays on one file system. */
function realFolderAbove(root: string, path: string): string {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (parentOf(root, `${folder}/x`) === undefined) return folder;
  }
  return "";
}

async function prepare(
  { path: given, temporary, wanted }: JournalStep,
  { root, store }: { readonly root: string; readonly store: BlobStore },
): Promise<void> {
  if (temporary === undefined || wanted === null) {
    // A folder that is closed to us is found out before the first file goes.
    if (parentOf(root, given) === undefined) accessSync(dirname(join(root, given)), constants.W_OK);
    return;
  }
  const path = join(root, temporary);
  if ("link" in wanted) return symlinkSync(wanted.link, path);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(await store.get(wanted.hash));
  } finally {
    await file.close();
  }
}

function takeBack(file: JournalFile): void {
  const { root, steps } = file.journal;
  for (const { temporary } of steps) if (temporary !== undefined) rmSync(join(root, temporary), { force: true });
  removeJournal(file);
}

/** May be run again from the start: what is done already is passed over. */
function finish(file: JournalFile, left: ReadonlySet<string> = new Set()): void {
  const { root } = file.journal;
  for (const { path, temporary } of file.journal.steps) {
    if (left.has(path) && temporary !== undefined) rmSync(join(root, temporary), { force: true });
  }
  const steps = file.journal.steps.filter(({ path }) => !left.has(path));
  // First what goes: a folder may take the place of a file, and a file that of a folder.
  for (const { path, temporary } of steps) {
    if (temporary !== undefined || parentOf(root, path) !== undefined) continue;
    if (statsOf(join(root, path))?.isDirectory() === true) continue;
    rmSync(join(root, path), { force: true });
    removeEmptyFolders(root, path);
  }
  for (const { path, temporary, wanted } of steps) {
    if (temporary === undefined || statsOf(join(root, temporary)) === undefined) continue;
    place(root, { path, temporary, wanted });
  }
  removeJournal(file);
}

function place(
  root: string,
  step: { readonly path: string; readonly temporary: string; readonly wanted: FileState },
): void {
  const [from, to] = [join(root, step.temporary), join(root, step.path)];
  if (parentOf(root, step.path) === "missing") mkdirSync(dirname(to), { recursive: true });
  if (parentOf(root, step.path) !== undefined) throw unsafePath(step.path);
  if (step.wanted !== null && "mode" in step.wanted) chmodSync(from, modeFor(step.wanted.mode, to));
  if (statsOf(to)?.isDirectory() === true) removeEmptyTree(to);
  renameSync(from, to);
}

function unsafePath(path: string): CheckpointError {
  return new CheckpointError("unsafe-path", `${path} leads through a link or a file`, {
    data: { path },
    hint: "Move what is in the way, and start again in this folder: the restore is finished then.",
  });
}

/** The permissions a file has stay, except for the executable bits; a new one gets what the system gives to new files. */
function modeFor(mode: "644" | "755", path: string): number {
  const present = statsOf(path);
  const base = present?.isFile() === true ? present.mode & 0o777 : 0o666 & ~process.umask();
  // Whoever may read it may run it.
  return mode === "755" ? base | ((base & 0o444) >> 2) : base & ~0o111;
}

function removeEmptyFolders(root: string, path: string): void {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      // It holds something, or is not ours to remove.
      return;
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
