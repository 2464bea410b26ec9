/** Clears what /sync said about an unreachable store once the store is back. */
import type { SessionSync } from "@bough/workbench/store/internal.js";
import type { OwnedHost } from "../host/create-host.js";

/** Returns a function that stops it. Other statuses are not touched. */
export function clearsWhenBack(
  sync: Pick<SessionSync, "subscribe">,
  host: Pick<OwnedHost, "statusLine" | "clearStatus">,
): () => void {
  let failure: string | undefined;
  return sync.subscribe((event) => {
    if (event.kind !== "status") return;
    const { state, error } = event.status;
    if (error !== undefined && state !== "held") failure = error.code;
    if (state !== "idle" || failure === undefined) return;
    if (host.statusLine?.code === failure) host.clearStatus();
    failure = undefined;
  });
}
