/** What can become of a stored content: it is old, gone, or not what it was. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { BlobStore } from "@bough/workbench/checkpoint/index.js";
import { compactPacks } from "@bough/workbench/checkpoint/store/pack/compact-packs.js";
import { type PackedContent, Packs } from "@bough/workbench/checkpoint/store/pack/packs.js";

function placeOf({ folder }: BlobStore, hash: string): PackedContent {
  const packs = Packs.of(folder);
  packs.writer.rest();
  const place = packs.find(hash);
  if (place === undefined) throw new Error(`${hash} is not in a pack`);
  return place;
}

/** No one has asked for it since. */
export function ageContent(store: BlobStore, hash: string, at: Date): void {
  const { pack, n } = placeOf(store, hash);
  if (!pack.touch(n, Math.floor(at.getTime() / 1000))) throw new Error(`${hash} has no time`);
}

export async function removeContent(store: BlobStore, hash: string): Promise<void> {
  placeOf(store, hash);
  await compactPacks(Packs.of(store.folder), { isNeeded: (one) => one !== hash, dryRun: false });
}

export function damageContent(store: BlobStore, hash: string): void {
  const { pack, n } = placeOf(store, hash);
  const { offset, length } = pack.table.row(n);
  const file = openSync(pack.path, "r+");
  writeSync(file, Buffer.alloc(1, 0x55), 0, 1, offset + length - 1);
  closeSync(file);
}
