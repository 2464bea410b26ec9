/** Removes sessions from a store, one by one, so that stopping in the middle leaves some removed and the rest whole. */
import { counted } from "@bough/session/text/index.js";
import type { Store, StoredSession } from "./store.js";
import { StoreError } from "./store-error.js";

export interface RemoveStoredOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface RemovedStored {
  /** IDs. */
  readonly removed: readonly string[];
  /** IDs of sessions that were kept, because something was pushed to them since they were listed. */
  readonly changed: readonly string[];
}

/** `sessions` as listed before. Rejects with a `StoreError` that says how many were removed until then. */
export async function removeStored(
  store: Store,
  sessions: readonly StoredSession[],
  { signal, onProgress }: RemoveStoredOptions = {},
): Promise<RemovedStored> {
  const removed: string[] = [];
  const changed: string[] = [];
  for (const [index, { id, cursor }] of sessions.entries()) {
    onProgress?.(index, sessions.length);
    try {
      if (signal?.aborted === true) throw new StoreError("sync-aborted", "Stopped");
      const now = await store.head(id);
      if (now === undefined || now.removed === true) continue;
      if (now.cursor !== cursor) changed.push(id);
      else {
        await store.remove(id);
        removed.push(id);
      }
    } catch (error) {
      throw stoppedAt(error, { removed: removed.length, total: sessions.length });
    }
  }
  onProgress?.(sessions.length, sessions.length);
  return { removed, changed };
}

function stoppedAt(error: unknown, { removed, total }: { readonly removed: number; readonly total: number }): unknown {
  if (!(error instanceof StoreError) || total === 1) return error;
  const rest = error.code === "store-forbidden" ? (error.hint ?? "") : "Run the command again to remove the rest.";
  return new StoreError(error.code, error.message, {
    hint: `Removed ${removed} of ${counted(total, "session")}. ${rest}`.trim(),
    data: { ...error.data, removed },
    cause: error,
  });
}
