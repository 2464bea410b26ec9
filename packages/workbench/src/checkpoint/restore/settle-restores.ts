/** Undoes or finishes what dead processes left behind. */
import { join } from "node:path";
import { itemsIn } from "@bough/session/log/index.js";
import { statsOf } from "../real-folders.js";
import { BlobStore, type BlobStoreOptions } from "../store/blob-store.js";
import { finishRestore, takeBackRestore } from "./finish-restore.js";
import { hasJournals, type JournalFile, journalsLeft, removeJournal } from "./journal.js";
import { hasStarted, lookAgain } from "./look-again.js";
import { forgetPlaced, hasPlacedBefore, placedBefore } from "./placed-restores.js";
import { withRestoreLock } from "./restore-lock.js";

export interface SettledRestore {
  readonly root: string;
  /** `before`: nothing had changed, and nothing has. `after`: the restore is complete now. */
  readonly now: "before" | "after";
  /** Paths that someone else changed since, or whose content is lost. They are left as they are. */
  readonly left: readonly string[];
}

export interface SettleOptions extends BlobStoreOptions {
  /** The folder of the store. */
  readonly store: string;
  readonly root: string;
}

/**
 * Whether a restore may be unfinished, or may have lost files to a power cut, in any root. Cheap enough for startup.
 */
export function hasOpenRestores(home: string): boolean {
  const stores = join(home, "files");
  return itemsIn(stores).some((item) => item.isDirectory() && isAnythingOpen(join(stores, item.name)));
}

/** Call it before anything else in a root. Waits for restores of other processes there. */
export async function settleRestores(options: SettleOptions): Promise<readonly SettledRestore[]> {
  if (!isAnythingOpen(options.store)) return [];
  return withRestoreLock(options, () => settleLocked(options));
}

/** For callers that already hold the root's lock. */
export async function settleLocked(options: SettleOptions): Promise<readonly SettledRestore[]> {
  const settled = await settleAll(options);
  forgetPlaced(options.store);
  return settled;
}

async function settleAll({ store, root, contents }: SettleOptions): Promise<readonly SettledRestore[]> {
  // A disk that is not mounted now may be mounted tomorrow.
  if (!isAnythingOpen(store) || statsOf(root) === undefined) return [];
  const blobs = new BlobStore(store, { contents });
  const settled: SettledRestore[] = [];
  // The latest restore of a path wins.
  const decided = new Set<string>();
  const decide = ({ journal }: JournalFile) => {
    for (const { path } of journal.steps) decided.add(path);
  };
  for (const file of journalsLeft(store, root)) {
    decide(file);
    if (file.phase === "prepare" && !(await hasStarted(file, blobs))) {
      takeBackRestore(file);
      settled.push({ root, now: "before", left: [] });
      continue;
    }
    const { left, seen } = await lookAgain(file, { store: blobs });
    settled.push({ root, now: "after", left: await finishRestore(file, { seen, left }) });
  }
  for (const file of placedBefore(store, root)) {
    const { journal, at } = file;
    const open = { ...file, journal: { ...journal, steps: journal.steps.filter(({ path }) => !decided.has(path)) } };
    decide(file);
    const { isOpen, left, seen } = await lookAgain(open, { store: blobs, placedAt: at });
    // They were verified on disk.
    if (!isOpen) removeJournal(file);
    else settled.push({ root, now: "after", left: await finishRestore(open, { seen, left }) });
  }
  return settled;
}

function isAnythingOpen(store: string): boolean {
  return hasJournals(store) || hasPlacedBefore(store);
}
