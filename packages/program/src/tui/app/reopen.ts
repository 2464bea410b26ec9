/** A read-only session, and the key that reopens it for writing. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import type { Notice } from "@bough/session/text/index.js";
import type { PanelHost } from "../host/panel-host.js";
import type { KeyMap } from "../keys/key-map.js";

/** The notice for a session that was opened read-only; undefined if it is writable or never can be. */
export function readOnlyNotice(session: SessionManager, keys: KeyMap): Notice | undefined {
  return session.getReadOnlyReason()?.kind === "asked" ? readOnlyWords(keys) : undefined;
}

export function readOnlyWords(keys: KeyMap): Notice {
  const key = keys.hint("chat.reopen");
  return { message: "Read-only.", ...(key === "" ? {} : { hint: `${key} continues here on your own branch.` }) };
}

/** Why the key is disabled. */
export function reopenDisabled(session: SessionManager): string | Notice | undefined {
  const reason = session.getReadOnlyReason();
  if (reason === undefined) return "This session is already writable.";
  return reason.kind === "asked" ? undefined : { message: `${reason.message}.`, hint: reason.hint };
}

export async function reopen(agent: AgentSession, host: Pick<PanelHost, "status">): Promise<void> {
  const reason = reopenDisabled(agent.session);
  if (reason === undefined) await agent.reopenForWriting();
  host.status(reason ?? "Now writable. Your next message starts your own branch here.");
}
