/** What the store of the current session does, as events for a client. */

import { defined } from "@bough/session/text/index.js";
import type { StoreStatus } from "@bough/workbench/store/index.js";
import type { SessionSync } from "@bough/workbench/store/internal.js";

export function tellStoreEvents(sync: SessionSync, tell: (event: object) => void): void {
  sync.subscribe((event, store) => {
    if (event.kind === "status") tell({ type: "store_status", ...storeStatus(event.status, store) });
    else tell({ type: "store_synced", store, synced: event.synced });
  });
}

/** As the protocol says it. */
export function storeStatus({ state, pending, error }: StoreStatus, store: string) {
  if (error === undefined) return { store, state, pending };
  const { code, message, hint } = error;
  return { store, state, pending, error: { code, message, ...defined({ hint }) } };
}
