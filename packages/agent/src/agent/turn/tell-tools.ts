import type { EntryId } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { waitFor } from "../../extension/internal.js";
import type { ToolSessionEvent } from "../../tool/index.js";
import type { OperationName } from "../operation-name.js";
import type { RunParts } from "../run-parts.js";

/** A tool that never finishes must not block a move forever. */
const FOLLOW_LIMIT_MS = 60_000;
/** It must not block the program's exit either, while the user waits. */
const LAST_LIMIT_MS = 2_000;

/**
 * Notifies stateful tools of the current position. One that fails or hangs is reported by name; the others are still
 * notified.
 */
export async function tellTools(
  parts: Pick<RunParts, "tools" | "session" | "emit">,
  event: Omit<ToolSessionEvent, "path">,
): Promise<void> {
  const listening = parts.tools.filter((tool) => tool.onSession !== undefined);
  if (listening.length === 0) return;
  const path = parts.session.getBranch();
  const limitMs = event.reason === "shutdown" ? LAST_LIMIT_MS : FOLLOW_LIMIT_MS;
  for (const tool of listening) {
    const waited = await waitFor(() => tool.onSession?.({ ...event, path }), { limitMs });
    if (waited.kind === "done" || waited.kind === "aborted") continue;
    const why = waited.kind === "threw" ? waited.message : `it took longer than ${limitMs / 1000} seconds`;
    const message = `The tool ${tool.name} could not be told about the session: ${why}`;
    parts.emit({ type: "notice", level: "warning", message });
  }
}

interface Place {
  readonly sessionId: string;
  readonly file: string | undefined;
  readonly leafId: EntryId | null;
}

export function placeOf(session: SessionManager): Place {
  return { sessionId: session.getSessionId(), file: session.getSessionFile(), leafId: session.getLeafId() };
}

/** Operations that leave the branch; all others only add to it. */
const MOVES: ReadonlySet<OperationName> = new Set(["navigate", "branch", "switch", "pop", "undo", "redo"]);

/** What to tell tools after an operation; undefined if the branch is the same. */
export function planTelling(change: {
  readonly name: OperationName;
  readonly before: Place;
  readonly after: Place;
}): Omit<ToolSessionEvent, "path"> | undefined {
  const { name, before, after } = change;
  if (before.sessionId === after.sessionId) {
    return MOVES.has(name) && before.leafId !== after.leafId ? { reason: "move" } : undefined;
  }
  return { reason: name === "open" ? "switch" : "fork", previousSessionFile: before.file };
}
