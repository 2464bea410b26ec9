import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";

/** Sub-agents of this process that have not ended, so that no other agent on the session takes them for killed. */
const LIVE = new Set<string>();

/** Returns the function to call when it has ended. */
export function nowLive(session: SessionManager, id: EntryId): () => void {
  const key = keyOf(session, id);
  LIVE.add(key);
  return () => void LIVE.delete(key);
}

export function isLiveAgent(session: SessionManager, id: EntryId): boolean {
  return LIVE.has(keyOf(session, id));
}

function keyOf(session: SessionManager, id: EntryId): string {
  return `${session.getSessionId()} ${id}`;
}
