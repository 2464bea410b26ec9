/**
 * Replaces packs that contain unneeded contents: what is needed is copied to another pack and is on disk there before
 * the old pack is deleted. A pack is renamed first, so that processes that write to it or rely on it notice.
 */
import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isLeftBehind, namesIn, WorkTurns } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { syncFile } from "../sync-file.js";
import { indexPath, oldPackPath, Pack, packPath } from "./pack.js";
import { ownerIn } from "./pack-writer.js";
import type { Packs } from "./packs.js";

export interface CompactOptions {
  /** `seen` is when the content was last used, in milliseconds. */
  readonly isNeeded: (hash: string, seen: number) => boolean;
  /** Only count. */
  readonly dryRun: boolean;
}

export interface Compacted {
  readonly removed: number;
  /** The space that the removed contents took. */
  readonly bytes: number;
  readonly kept: number;
}

/** Packs smaller than this are merged once there are more than `MANY`. */
const SMALL_BYTES = 1024 * 1024;
const MANY = 8;

export async function compactPacks(packs: Packs, { isNeeded, dryRun }: CompactOptions): Promise<Compacted> {
  const turns = new WorkTurns();
  const needed = (pack: Pack, n: number) => isNeeded(pack.table.hash(n).toString("hex"), pack.table.row(n).seen * 1000);
  let [removed, bytes, kept] = [0, 0, 0];
  const replaced = new Set<Pack>();
  const all = packs.reread();
  for (const pack of all) {
    let twice = 0;
    let isDone = true;
    for (let n = 0; n < pack.table.count; n++) {
      if (turns.isDue) await turns.yieldNow();
      const { length } = pack.table.row(n);
      const copies = [...packs.places(pack.table.hash(n).toString("hex"))];
      const isFirst = copies[0]?.pack.id === pack.id;
      if (copies.length > 1) twice += length;
      if (!needed(pack, n)) isDone = false;
      // Count a content once even if it is stored several times.
      if (!isFirst) continue;
      if (copies.some((copy) => needed(copy.pack, copy.n))) kept += 1;
      else {
        removed += 1;
        for (const copy of copies) bytes += copy.pack.table.row(copy.n).length;
      }
    }
    if (!isDone || pack.isOld || twice * 4 > pack.known) replaced.add(pack);
  }
  const small = all.filter((pack) => pack.known < SMALL_BYTES);
  if (small.length > MANY) for (const pack of small) replaced.add(pack);
  if (!dryRun && replaced.size > 0) await replace(packs, replaced, needed);
  if (!dryRun) sweep(packs.folder);
  return { removed, bytes, kept };
}

async function replace(
  packs: Packs,
  replaced: ReadonlySet<Pack>,
  needed: (pack: Pack, n: number) => boolean,
): Promise<void> {
  packs.writer.avoid(new Set([...replaced].map(({ id }) => id)));
  try {
    for (const pack of replaced) {
      if (!pack.retire()) continue;
      packs.look();
      try {
        await copyNeeded(packs, pack.id, needed);
      } catch (error) {
        // If the disk is full, keep using the old pack.
        attempt(() => renameSync(oldPackPath(packs.folder, pack.id), packPath(packs.folder, pack.id)));
        throw error;
      }
    }
  } finally {
    packs.writer.avoid(new Set());
    packs.look();
  }
}

async function copyNeeded(packs: Packs, id: string, needed: (pack: Pack, n: number) => boolean): Promise<void> {
  const { folder, writer } = packs;
  // Read the pack again: everything written or used before it was renamed counts.
  const old = new Pack(folder, id, { isOld: true });
  if (!old.update()) return;
  const turns = new WorkTurns();
  const written = new Set<Pack>();
  for (let n = 0; n < old.table.count; n++) {
    if (turns.isDue) await turns.yieldNow();
    if (!needed(old, n) || writer.has(old.table.hash(n))) continue;
    const record = old.record(n);
    // Another process has already replaced the pack.
    if (record === undefined) return;
    written.add(writer.append(record, { hash: old.table.hash(n), seen: old.table.row(n).seen }));
  }
  for (const pack of written) {
    await syncFile(pack.path);
    // A pack that is itself being replaced is copied by another process, which may not have synced its copy yet.
    if (!pack.isInPlace) return;
  }
  rmSync(oldPackPath(folder, id), { force: true });
  removeBeside(folder, id);
}

function removeBeside(folder: string, id: string): void {
  rmSync(indexPath(folder, id), { force: true });
  for (const name of namesIn(folder)) if (ownerIn(name)[0]?.[0] === id) rmSync(join(folder, name), { force: true });
}

/** Removes leftovers of processes that were killed while they created or replaced a pack. */
function sweep(folder: string): void {
  const isGone = (id: string) =>
    [packPath(folder, id), oldPackPath(folder, id)].every(
      (path) => statSync(path, { throwIfNoEntry: false }) === undefined,
    );
  for (const name of namesIn(folder)) {
    const [[owned, mark] = []] = ownerIn(name);
    const id = owned ?? /^([0-9a-f]{16})\.idx$/.exec(name)?.[1];
    if (id === undefined || !isGone(id) || (mark !== undefined && !isLeftBehind(mark))) continue;
    rmSync(join(folder, name), { force: true });
  }
}
