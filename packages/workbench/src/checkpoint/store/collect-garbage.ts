/** Removes contents that no session names. Anything uncertain is kept. */
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesRecord } from "@bough/session/entry/internal.js";
import { changeFile, isLeftBehind, itemsIn, OWNER_MARK, WorkTurns, withFileLock } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { forgetStayNotes } from "../stay-notes.js";
import { checkRecords, contentsOf } from "../steps-between.js";
import { savedLook } from "../work/saved-scanner.js";
import { readWorkFolders } from "../work/work-folder.js";
import { BlobStore, type BlobStoreOptions } from "./blob-store.js";
import { compactPacks } from "./pack/compact-packs.js";
import { Packs } from "./pack/packs.js";
import { checkpointsIn, forgetMissing, registeredSessions, sessionsOf } from "./store-sessions.js";

export interface GarbageOptions extends BlobStoreOptions {
  /** The folder of the store. */
  readonly store: string;
  /** Session files in the usual folders, including archived ones. */
  readonly sessions: readonly string[];
  readonly now: Date;
  /** Only count. */
  readonly dryRun?: boolean;
  /**
   * What to do about registered sessions whose whole folder is missing: wait for them, or forget them. Default: wait.
   */
  readonly missing?: "wait" | "forget";
}

export type GarbageOutcome =
  | { readonly kind: "done"; readonly removed: number; readonly bytes: number; readonly kept: number }
  /**
   * Nothing, or not everything, was removed: a session was unreadable, another process is cleaning up, or the disk is
   * full.
   */
  | { readonly kind: "failed"; readonly reason: string };

const YOUNGEST_MS = 14 * 24 * 60 * 60_000;
/** How long to wait for another process that is cleaning up. */
const PATIENCE_MS = 10_000;
/** A cleanup by a process that cannot be checked from here is over after this time. */
const LONGEST_MS = 60 * 60_000;

/** Keeps contents younger than two weeks, because a session from another machine or a backup may still arrive. */
export async function collectGarbage({
  store,
  sessions,
  now,
  dryRun = false,
  missing = "wait",
  contents,
}: GarbageOptions): Promise<GarbageOutcome> {
  const blobs = new BlobStore(store, { contents });
  let named: ReadonlySet<string>;
  try {
    const registered = missing === "forget" ? sessionsOf(store).there : registeredSessions(store);
    const inSessions = await namedHashes([...new Set([...sessions, ...registered])], blobs);
    // Running sessions know the contents of files that have not changed yet, which no record names.
    named = new Set([...inSessions, ...workHashes(store)]);
    if (missing === "forget" && !dryRun) forgetMissing(store);
  } catch (error) {
    return { kind: "failed", reason: (error as Error).message };
  }
  let [removed, bytes, kept] = [0, 0, 0];
  const turns = new WorkTurns();
  const packs = Packs.of(store);
  for (const { path, hash } of storedFiles(store)) {
    if (turns.isDue) await turns.yieldNow();
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const isOld = now.getTime() - stats.mtimeMs > YOUNGEST_MS;
    if (hash === undefined || (isOld && !named.has(hash))) {
      removed += 1;
      bytes += stats.size;
      if (!dryRun) rmSync(path, { force: true });
    } else kept += 1;
  }
  if (!dryRun) forgetStayNotes(store);
  if (!existsSync(packs.folder)) return { kind: "done", removed, bytes, kept };
  const isNeeded = (hash: string, seen: number) => named.has(hash) || now.getTime() - seen <= YOUNGEST_MS;
  try {
    const lock = { folder: packs.folder, name: "collect", patience: PATIENCE_MS, heldAtMost: LONGEST_MS, busy };
    const packed = await withFileLock(lock, () => compactPacks(packs, { isNeeded, dryRun }));
    return {
      kind: "done",
      removed: removed + packed.removed,
      bytes: bytes + packed.bytes,
      kept: kept + packed.kept,
    };
  } catch (error) {
    return { kind: "failed", reason: (error as Error).message };
  }
}

const busy = () => new Error("another process is cleaning up the same store");

export interface RareGarbageOptions extends Pick<GarbageOptions, "store" | "now" | "contents"> {
  /** Session files in the usual folders, including archived ones. Only called when a collection is due. */
  readonly sessions: () => readonly string[] | Promise<readonly string[]>;
}

const RARELY_MS = 7 * 24 * 60 * 60_000;

/** Like `collectGarbage`, but at most once a week across all processes. Undefined if none is due. */
export async function collectGarbageRarely({
  store,
  sessions,
  now,
  contents,
}: RareGarbageOptions): Promise<GarbageOutcome | undefined> {
  if (!existsSync(store) || !claimTurn(join(store, "collected.json"), now)) return undefined;
  return collectGarbage({ store, sessions: await sessions(), now, contents });
}

/** A store that was never collected is new: its week starts now. */
function claimTurn(file: string, now: Date): boolean {
  let isDue = false;
  changeFile(file, (before) => {
    const value = before === undefined ? undefined : parsedJson(before);
    const last = isRecord(value) && typeof value.at === "string" ? Date.parse(value.at) : Number.NaN;
    // A time in the future comes from a wrong clock.
    isDue = before !== undefined && !(now.getTime() - last < RARELY_MS && last <= now.getTime());
    if (before !== undefined && !isDue) return before;
    return `${JSON.stringify({ at: now.toISOString() })}\n`;
  });
  return isDue;
}

/** The contents that session files name. Throws if a file cannot be read completely. */
export async function namedHashes(files: readonly string[], blobs: BlobStore): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  const turns = new WorkTurns();
  for (const file of files) {
    if (turns.isDue) await turns.yieldNow();
    let records = 0;
    for await (const data of checkpointsIn(file)) {
      if (turns.isDue) await turns.yieldNow();
      checkRecords(++records, file);
      const record = filesRecord(data);
      if (record === undefined) throw new Error(`${file} has an unreadable file record`);
      // A list that is in another store names nothing here.
      for (const hash of (await contentsOf(record, blobs)).keys()) named.add(hash);
    }
  }
  return named;
}

/** Contents that running sessions may need, or killed ones that were not resumed yet. */
function* workHashes(store: string): Generator<string> {
  for (const { path } of readWorkFolders(store)) {
    const { known, kept } = savedLook(path, { isOwn: false }) ?? { known: new Map(), kept: new Map() };
    for (const { state } of [...known.values(), ...kept.values()]) {
      if (state !== undefined && state !== null && "hash" in state) yield state.hash;
    }
  }
}

const UNFINISHED = new RegExp(`\\.(${OWNER_MARK})\\.new$`);

/** Contents with their own file, and leftovers of killed processes, which have no hash. */
export function* storedFiles(store: string): Generator<{ readonly path: string; readonly hash: string | undefined }> {
  for (const { name: start } of itemsIn(store)) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue;
    for (const { name } of itemsIn(join(store, start))) {
      const path = join(store, start, name);
      if (/^[0-9a-f]{62}$/.test(name)) yield { path, hash: start + name };
      const mark = UNFINISHED.exec(name)?.[1];
      if (mark !== undefined && isLeftBehind(mark)) yield { path, hash: undefined };
    }
  }
}
