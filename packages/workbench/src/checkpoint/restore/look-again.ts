/** How far an unfinished restore came, and what is needed to finish it. */
import { rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { sameFile } from "@bough/session/entry/internal.js";
import { type DiskFile, diskFile } from "../disk-file.js";
import { RealFolders, statsOf } from "../real-folders.js";
import { signatureOf } from "../scan/signature.js";
import type { BlobStore } from "../store/blob-store.js";
import { isFromAnotherBoot, type JournalFile, type JournalStep } from "./journal.js";
import { madeFree } from "./plan-files.js";
import { permissionsOf, writeBeside } from "./write-new.js";

type FileOnDisk = DiskFile & { readonly kind: "file" };

export interface LookOptions {
  readonly store: BlobStore;
  /** For a completed restore: when its last file was put in place. Changes made after that are kept. */
  readonly placedAt?: number;
}

export interface SeenAgain {
  /** Whether there is anything to do. */
  readonly isOpen: boolean;
  /** Paths to leave as they are: someone else changed them since, or their content is lost. */
  readonly left: ReadonlySet<string>;
  readonly seen: ReadonlyMap<string, number>;
}

/** Afterwards every content that is still to be placed lies next to its target, complete. */
export async function lookAgain(file: JournalFile, options: LookOptions): Promise<SeenAgain> {
  const { root, steps } = file.journal;
  const look = looking(file);
  const left = new Set<string>();
  const seen = new Map<string, number>();
  let isOpen = false;
  for (const step of steps) {
    const isDone = step.temporary === undefined ? options.placedAt !== undefined : !isPrepared(root, step);
    // Only a power cut can undo finished work.
    if (isDone && !isFromAnotherBoot(file)) continue;
    const disk = look(step);
    if (isDone && !(await isUndone(disk, step, options))) continue;
    isOpen = true;
    const isFree = isDone || (disk.kind === "file" && (disk.state === null || sameFile(disk.state, step.present)));
    const stats = disk.kind === "file" ? disk.stats : undefined;
    if (!isFree || !(await isBeside(step, { root, store: options.store, stats }))) left.add(step.path);
    else if (stats !== undefined) seen.set(step.path, signatureOf(stats));
  }
  return { isOpen, left, seen };
}

/** Whether a restore still marked `prepare` had already changed files: a power cut can lose the later mark. */
export async function hasStarted(file: JournalFile, store: BlobStore): Promise<boolean> {
  if (!isFromAnotherBoot(file)) return false;
  const look = looking(file);
  for (const step of file.journal.steps) {
    const disk = look(step);
    if (disk.kind === "blocked" || sameFile(disk.state, step.present)) continue;
    if (disk.state === null) return true;
    if (isPrepared(file.journal.root, step)) continue;
    if (sameFile(disk.state, step.wanted) || (await isTorn(disk, step, store))) return true;
  }
  return false;
}

function looking({ journal: { root, steps } }: JournalFile): (step: JournalStep) => DiskFile {
  const folders = new RealFolders(root);
  const going = new Set(steps.filter(({ temporary }) => temporary === undefined).map(({ path }) => path));
  return ({ path }) => madeFree(diskFile(root, path, folders), { root, path, going });
}

function isPrepared(root: string, { temporary }: JournalStep): boolean {
  return temporary !== undefined && statsOf(join(root, temporary)) !== undefined;
}

/** Whether a power cut, and not a person, reverted what a restore did to a path. */
async function isUndone(disk: DiskFile, step: JournalStep, { store, placedAt }: LookOptions): Promise<boolean> {
  if (disk.kind === "blocked" || sameFile(disk.state, step.wanted)) return false;
  if (disk.stats === undefined) return placedAt === undefined;
  if (placedAt !== undefined && disk.stats.ctimeMs > placedAt) return false;
  return sameFile(disk.state, step.present) || isTorn(disk, step, store);
}

/** Whether a file is the wanted one with bytes that never reached the disk: they are zero or missing. */
async function isTorn({ state, content }: FileOnDisk, { wanted }: JournalStep, store: BlobStore): Promise<boolean> {
  if (content === undefined || state === null || !("hash" in state) || wanted === null || !("hash" in wanted))
    return false;
  if (state.hash === wanted.hash || content.length > wanted.size) return false;
  if (content.every((byte) => byte === 0)) return true;
  const whole = await stored(wanted.hash, store);
  return whole !== undefined && content.every((byte, at) => byte === 0 || byte === whole[at]);
}

interface Beside {
  readonly root: string;
  readonly store: BlobStore;
  readonly stats: Stats | undefined;
}

/** False if the content is missing or incomplete next to its target and the store does not have it either. */
async function isBeside({ temporary, wanted }: JournalStep, { root, store, stats }: Beside): Promise<boolean> {
  if (temporary === undefined || wanted === null) return true;
  const disk = diskFile(root, temporary);
  const found = disk.kind === "file" ? disk.state : null;
  if (found !== null && ("link" in wanted || ("hash" in found && found.hash === wanted.hash))) return true;
  const content = "link" in wanted ? undefined : await stored(wanted.hash, store);
  if ("hash" in wanted && content === undefined) return false;
  rmSync(join(root, temporary), { force: true });
  writeBeside(join(root, temporary), { wanted, content, mode: permissionsOf(stats) });
  return true;
}

async function stored(hash: string, store: BlobStore): Promise<Buffer | undefined> {
  return store.get(hash).catch(() => undefined);
}
