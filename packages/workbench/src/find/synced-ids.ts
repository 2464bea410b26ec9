/** Resolves what a user typed to the sessions to sync, on this machine or only in the store. Fetches nothing. */
import { resolveSession, type SessionPlaces } from "@bough/session/session/internal.js";
import type { Store } from "../store/index.js";

export interface SyncedIdsOptions {
  readonly places: SessionPlaces;
  readonly store: Store;
  readonly signal?: AbortSignal | undefined;
}

export type SyncedIds =
  | { readonly kind: "found"; readonly ids: readonly string[] }
  | { readonly kind: "several"; readonly reference: string }
  | { readonly kind: "unknown"; readonly references: readonly string[] };

/**
 * Follows steps 2 to 4 and 6 of `findSession`. Returns all IDs, or else the first reference that matches several
 * sessions, or else all unknown references.
 */
export async function syncedIds(references: readonly string[], options: SyncedIdsOptions): Promise<SyncedIds> {
  const { places, store, signal } = options;
  const ids: string[] = [];
  const elsewhere: string[] = [];
  for (const reference of references) {
    const found = await resolveSession(reference, places, { signal });
    if (found.length > 1) return { kind: "several", reference };
    if (found[0] === undefined) elsewhere.push(reference);
    else ids.push(found[0].id);
  }
  if (elsewhere.length === 0) return { kind: "found", ids };
  const { matchStored, storedSessions } = await import("../store/internal.js");
  const stored = await storedSessions(store);
  const unknown: string[] = [];
  for (const reference of elsewhere) {
    const found = matchStored(stored, reference);
    if (found.length > 1) return { kind: "several", reference };
    if (found[0] === undefined) unknown.push(reference);
    else ids.push(found[0].id);
  }
  return unknown.length === 0 ? { kind: "found", ids } : { kind: "unknown", references: unknown };
}
