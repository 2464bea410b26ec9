/** Takes back or finishes what processes that died left behind. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { sameFile } from "../../entry/internal.js";
import { itemsIn } from "../../log/index.js";
import { attempt } from "../../text/index.js";
import { diskFile } from "../disk-file.js";
import { RealFolders, statsOf } from "../real-folders.js";
import { signatureOf } from "../scan/signature.js";
import { BlobStore } from "../store/blob-store.js";
import { finishRestore, takeBackRestore } from "./finish-restore.js";
import { hasJournals, type JournalStep, journalsLeft } from "./journal.js";
import { madeFree } from "./plan-files.js";
import { withRestoreLock } from "./restore-lock.js";
import { modeFor, writeNew } from "./write-new.js";

export interface SettledRestore {
  readonly root: string;
  /** `before`: nothing had changed yet, and nothing has. `after`: the restore is complete now. */
  readonly now: "before" | "after";
  /** Paths that someone else changed since, or whose content is lost. They are left as they are. */
  readonly left: readonly string[];
}

export interface SettleOptions {
  /** The folder of the store. */
  readonly store: string;
  readonly root: string;
}

/** Whether a restore may have been left unfinished, in whatever root. Cheap, for programs that start. */
export function hasOpenRestores(home: string): boolean {
  const stores = join(home, "files");
  return itemsIn(stores).some((item) => item.isDirectory() && hasJournals(join(stores, item.name)));
}

/** To be called before anything else in a root. Waits for restores of other processes there. */
export async function settleRestores({ store, root }: SettleOptions): Promise<readonly SettledRestore[]> {
  if (!hasJournals(store)) return [];
  return withRestoreLock({ store, root }, () => settleLocked({ store, root }));
}

/** For whoever holds the lock of the root already. */
export async function settleLocked({ store, root }: SettleOptions): Promise<readonly SettledRestore[]> {
  const settled: SettledRestore[] = [];
  // A disk that is not mounted now may be tomorrow.
  if (!hasJournals(store) || statsOf(root) === undefined) return settled;
  for (const file of journalsLeft(store, root)) {
    const { steps } = file.journal;
    if (file.phase === "prepare") {
      takeBackRestore(file);
      settled.push({ root, now: "before", left: [] });
      continue;
    }
    const { changed, seen } = lookAgain(root, steps);
    const lost = await mendContents(root, steps, new BlobStore(store));
    const left = await finishRestore(file, { seen, left: new Set([...changed, ...lost]) });
    settled.push({ root, now: "after", left });
  }
  return settled;
}

interface SeenAgain {
  /** Steps that are still to be done, on a path that is no longer what it was. */
  readonly changed: readonly string[];
  readonly seen: ReadonlyMap<string, number>;
}

function lookAgain(root: string, steps: readonly JournalStep[]): SeenAgain {
  const folders = new RealFolders(root);
  const going = new Set(steps.filter(({ temporary }) => temporary === undefined).map(({ path }) => path));
  const changed: string[] = [];
  const seen = new Map<string, number>();
  for (const { path, temporary, present } of steps) {
    if (temporary !== undefined && statsOf(join(root, temporary)) === undefined) continue;
    const disk = madeFree(diskFile(root, path, folders), { root, path, going });
    if (disk.kind === "blocked" || (disk.state !== null && !sameFile(disk.state, present))) changed.push(path);
    else if (disk.stats !== undefined) seen.set(path, signatureOf(disk.stats));
  }
  return { changed, seen };
}

/** Contents that were handed to the system and are not whole, as after a power cut. Answers what the store lacks too. */
async function mendContents(root: string, steps: readonly JournalStep[], store: BlobStore): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { path, temporary, wanted } of steps) {
    if (temporary === undefined || wanted === null || !("hash" in wanted)) continue;
    const disk = diskFile(root, temporary);
    if (disk.kind !== "file" || disk.state === null) continue;
    if ("hash" in disk.state && disk.state.hash === wanted.hash) continue;
    const content = await store.get(wanted.hash).catch(() => undefined);
    if (content === undefined) {
      lost.push(path);
      continue;
    }
    const mode = attempt(() => statsOf(join(root, path)));
    rmSync(join(root, temporary), { force: true });
    writeNew(join(root, temporary), content, modeFor(wanted, mode?.isFile() === true ? mode.mode & 0o777 : undefined));
  }
  return lost;
}
