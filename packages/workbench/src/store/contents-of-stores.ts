/** Fetches contents missing on this machine from the stores, one by one, when they are needed. */
import type { BlobSource } from "../checkpoint/index.js";
import { namedStores } from "./named-stores.js";
import { openStore } from "./open-store.js";
import type { Store } from "./store.js";
import { StoreError } from "./store-error.js";

/** A store that could not be reached is skipped for this long, instead of being tried again for each content. */
const AWAY_MS = 10_000;

/**
 * Asks the configured stores in order when a content is missing, and opens each when it is first needed. For the
 * option `contents`.
 */
export function contentsOfStores(home: string): BlobSource {
  const opened = new Map<string, Promise<Store>>();
  const away = new Map<string, { readonly until: number; readonly error: unknown }>();
  return {
    async get(hash) {
      let failure: unknown;
      for (const { address, passphrase } of namedStores(home)) {
        const known = away.get(address);
        if (known !== undefined && performance.now() < known.until) {
          failure ??= known.error;
          continue;
        }
        try {
          const store = opened.get(address) ?? openStore(address, { home, passphrase });
          opened.set(address, store);
          const content = await (await store).blobs.get(hash);
          if (content !== undefined) return content;
        } catch (error) {
          failure ??= error;
          // A content that is damaged there does not affect the others.
          if (error instanceof StoreError && error.code === "store-damaged") continue;
          opened.delete(address);
          away.set(address, { until: performance.now() + AWAY_MS, error });
        }
      }
      if (failure !== undefined) throw failure;
      return undefined;
    },
  };
}
