/** The sessions that the arguments of a command name, on this machine or in a store. */
import { SessionError } from "@bough/session/entry/index.js";
import { syncedIds } from "@bough/workbench/find/index.js";
import type { Store } from "@bough/workbench/store/index.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";

/** Rejects with `session-not-found`, naming all that are unknown; nothing is done then. */
export async function namedIds(
  { args, flags, places, signal }: SubcommandCall,
  store: Store,
): Promise<readonly string[]> {
  const found = await syncedIds(args, { places, store, signal });
  if (found.kind === "found") return found.ids;
  if (found.kind === "several")
    throw usageError(`Several sessions match ${found.reference}`, "Give more of its ID: bough ls");
  const { references } = found;
  const inStore = flags.isOn("store") ? `=${flags.text("store")}` : "";
  const message = `${references.length === 1 ? "Session" : "Sessions"} not found: ${references.join(", ")}`;
  throw new SessionError("session-not-found", message, {
    data: { references },
    hint: `Neither on this machine nor in the store. To list both: bough ls --all, bough ls --all --store${inStore}`,
  });
}
