/** What a store contains, how much of it, and which sessions use it. */
import { statSync } from "node:fs";
import { WorkTurns } from "@bough/session/log/index.js";
import { errorText } from "@bough/session/text/index.js";
import { BlobStore, type BlobStoreOptions } from "./blob-store.js";
import { namedHashes, storedFiles } from "./collect-garbage.js";
import { Packs } from "./pack/packs.js";
import { checkpointsIn } from "./store-sessions.js";

interface Amount {
  readonly contents: number;
  /** Compressed size. */
  readonly bytes: number;
}

export interface StoreStatus extends Amount {
  /** Contents that no session names. */
  readonly unused: Amount;
  /** Sessions with checkpoints, and how much each names. A content that several sessions name counts for each. */
  readonly sessions: readonly ({ readonly file: string; readonly checkpoints: number } & Amount)[];
  /** Sessions that could not be read. As long as there are any, nothing is removed. */
  readonly unread: readonly { readonly file: string; readonly reason: string }[];
}

interface StatusOptions extends BlobStoreOptions {
  /** The folder of the store. */
  readonly store: string;
  readonly sessions: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export async function storeStatus(options: StatusOptions): Promise<StoreStatus> {
  const { store, sessions, signal, onProgress } = options;
  const blobs = new BlobStore(store, options);
  const turns = new WorkTurns();
  const sizes = new Map<string, number>();
  for (const { path, hash } of storedFiles(store)) {
    if (turns.isDue) await turns.yieldNow();
    signal?.throwIfAborted();
    if (hash !== undefined) sizes.set(hash, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }
  for (const { table } of Packs.of(store).all()) {
    for (let n = 0; n < table.count; n++) {
      if (turns.isDue) await turns.yieldNow();
      signal?.throwIfAborted();
      sizes.set(table.hash(n).toString("hex"), table.row(n).length);
    }
  }
  const found: StoreStatus["sessions"][number][] = [];
  const unread: { file: string; reason: string }[] = [];
  const named = new Set<string>();
  for (const [done, file] of sessions.entries()) {
    if (turns.isDue) await turns.yieldNow();
    signal?.throwIfAborted();
    onProgress?.(done, sessions.length);
    try {
      const own = new Set([...(await namedHashes([file], blobs))].filter((hash) => sizes.has(hash)));
      for (const hash of own) named.add(hash);
      let checkpoints = 0;
      for await (const _checkpoint of checkpointsIn(file)) checkpoints += 1;
      if (checkpoints > 0) found.push({ file, checkpoints, ...amountOf(own, sizes) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") unread.push({ file, reason: errorText(error) });
    }
  }
  const all = amountOf(sizes.keys(), sizes);
  const used = amountOf(named, sizes);
  const unused = { contents: all.contents - used.contents, bytes: all.bytes - used.bytes };
  return { ...all, unused, sessions: found, unread };
}

function amountOf(hashes: Iterable<string>, sizes: ReadonlyMap<string, number>): Amount {
  let [contents, bytes] = [0, 0];
  for (const hash of hashes) {
    contents += 1;
    bytes += sizes.get(hash) ?? 0;
  }
  return { contents, bytes };
}
