/** Events for a client about the store of the current session. */

import { defined } from "@bough/session/text/index.js";
import type { StoreStatus } from "@bough/workbench/store/index.js";
import type { SessionSync } from "@bough/workbench/store/internal.js";

export function tellStoreEvents(sync: SessionSync, tell: (event: object) => void): void {
  sync.subscribe((event, store) => {
    if (event.kind === "status") tell({ type: "store_status", ...storeStatus(event.status, store) });
    else tell({ type: "store_synced", store, synced: event.synced });
  });
}

/** As named in the protocol. */
export function storeStatus({ state, pending, error }: StoreStatus, store: string) {
  if (error === undefined) return { store, state, pending };
  const { code, message, hint } = error;
  return { store, state, pending, error: { code, message, ...defined({ hint }) } };
}
