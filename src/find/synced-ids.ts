/** The sessions that are named on the command line of `bough sync`: on this machine, or only in the store. */

import { SessionError } from "../entry/index.js";
import { matchByIdOrName, resolveSession } from "../session/internal.js";
import type { Store } from "../store/index.js";
import { storedSessions } from "../store/internal.js";
import { usageError } from "../cli/cli-error.js";
import type { SubcommandCall } from "../cli/subcommand/subcommand.js";

const LEAST_START = 4;

/** Rejects with `session-not-found`, naming all that are unknown; nothing is synced then. */
export async function syncedIds(call: SubcommandCall, store: Store): Promise<readonly string[]> {
  const { args, flags, places, signal } = call;
  const ids: string[] = [];
  const elsewhere: string[] = [];
  for (const reference of args) {
    const id = theOnly(reference, await resolveSession(reference, places, { signal }));
    if (id === undefined) elsewhere.push(reference);
    else ids.push(id);
  }
  if (elsewhere.length === 0) return ids;
  const stored = await storedSessions(store);
  const unknown: string[] = [];
  for (const reference of elsewhere) {
    const found = matchByIdOrName(stored, reference, { nameOf: ({ title }) => title, leastStart: LEAST_START });
    const id = theOnly(reference, found);
    if (id === undefined) unknown.push(reference);
    else ids.push(id);
  }
  if (unknown.length === 0) return ids;
  const inStore = flags.isOn("store") ? `=${flags.text("store")}` : "";
  const message = `${unknown.length === 1 ? "Session" : "Sessions"} not found: ${unknown.join(", ")}`;
  throw new SessionError("session-not-found", message, {
    data: { references: unknown },
    hint: `Neither on this machine nor in the store. To list both: bough ls --all, bough ls --all --store${inStore}`,
  });
}

function theOnly(reference: string, found: readonly { readonly id: string }[]): string | undefined {
  if (found.length > 1) throw usageError(`Several sessions match ${reference}`, "Give more of its ID: bough ls");
  return found[0]?.id;
}
