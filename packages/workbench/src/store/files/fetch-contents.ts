/** Fetches all contents that a session names and this machine lacks. */
import type { BlobStore } from "../../checkpoint/index.js";
import type { Store } from "../store.js";
import { namedContents } from "./named-contents.js";

export interface FetchContentsOptions {
  readonly store: Pick<Store, "blobs">;
  readonly blobs: BlobStore;
  readonly signal?: AbortSignal;
}

/** Returns how many were fetched. Rejects with `store-damaged` if a content does not match its hash. */
export async function fetchContents(
  lines: () => Iterable<Uint8Array>,
  { store, blobs, signal }: FetchContentsOptions,
): Promise<number> {
  let fetched = 0;
  // A fetched list of changes may name more contents.
  for (let before = -1; before < fetched; ) {
    before = fetched;
    const missing = [...(await namedContents(lines(), blobs)).keys()].filter((hash) => !blobs.has(hash));
    const there = missing.length === 0 ? new Set<string>() : await store.blobs.has(missing);
    for (const hash of there) {
      signal?.throwIfAborted();
      const content = await store.blobs.get(hash);
      if (content === undefined) continue;
      await blobs.put(content);
      fetched++;
    }
  }
  return fetched;
}
