import type { SessionContext } from "@bough/session/context/index.js";
import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";

interface Built {
  readonly sessionId: string;
  readonly leafId: EntryId | null;
  readonly entries: number;
  readonly context: WeakRef<SessionContext>;
}

/**
 * The context of the last page, because the next page probably needs the same one. Held weakly, because it can be
 * large.
 */
const last = new WeakMap<SessionManager, Built>();

/** What the model sees at the leaf, built in slices that let others run. */
export async function builtContext(session: SessionManager): Promise<SessionContext> {
  const place = {
    sessionId: session.getSessionId(),
    leafId: session.getLeafId(),
    entries: session.getSource().tree.count,
  };
  const known = last.get(session);
  const isSame =
    known?.sessionId === place.sessionId && known.leafId === place.leafId && known.entries === place.entries;
  const kept = isSame ? known.context.deref() : undefined;
  if (kept !== undefined) return kept;
  const context = await session.buildSessionContextInSlices();
  last.set(session, { ...place, context: new WeakRef(context) });
  return context;
}
