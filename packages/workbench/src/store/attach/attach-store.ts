/**
 * Keeps a store up to date with an open session: pushes after appends, pulls what others append, and never moves the
 * position. The session writes to its file and never waits for the store.
 *
 *     append ─> file          at the end of a turn, or at once with `live` ─> push, pull
 *                             the store reports new entries ─> pull            (only with `live`)
 *                             the store is unreachable ─> wait longer each time, and report it
 */
import { boughHome, type SessionManager } from "@bough/session/session/index.js";
import type { Store } from "../store.js";
import { StoreError } from "../store-error.js";
import { SyncStates } from "../sync/sync-state.js";
import { AttachedStore } from "./attached-store.js";
import type { AttachOptions, StoreAttachment } from "./attachment.js";

/**
 * Attaches a store to a session that has a file. Pass a function that opens the store if it may be unreachable now;
 * `detach` then closes the store.
 */
export function attachStore(
  session: SessionManager,
  store: Store | (() => Promise<Store>),
  options: AttachOptions = {},
): StoreAttachment {
  if (session.getSessionFile() === undefined) {
    throw new StoreError("session-not-saved", "A session in memory cannot be synced", {
      hint: "Open one with a file: SessionManager.create or SessionManager.open.",
    });
  }
  const states = (key: string) => options.states ?? new SyncStates(boughHome(), key);
  return new AttachedStore(session, store, { ...options, states });
}
