import { entryMessage } from "../../context/index.js";
import type { AgentMessage, EntryId } from "../../entry/index.js";
import type { CustomMessageInput } from "../../extension/index.js";
import type { SessionManager } from "../../session/index.js";
import type { AgentParts } from "../agent-parts.js";

export interface AppendOptions {
  /** The session has the message. Called before anyone is notified, and also if the disk is full: then it waits in memory. */
  readonly onTaken?: () => void;
}

/**
 * Puts a message into the session, then tells front ends and extensions. It is in the file before anyone is notified:
 * the append comes first and is synchronous.
 */
export async function appendMessage(
  parts: AgentParts,
  message: AgentMessage,
  { onTaken = () => {} }: AppendOptions = {},
): Promise<EntryId> {
  // The start of an answer was told when its first piece came.
  if (message.role !== "assistant") parts.emit({ type: "message_start", role: message.role });
  const entryId = takeIn(parts.session, message, onTaken);
  parts.emit({ type: "message_end", entryId, message });
  if (parts.hooks.has("message_end")) await parts.hooks.emit<"message_end">({ type: "message_end", message });
  return entryId;
}

function takeIn(session: SessionManager, message: AgentMessage, onTaken: () => void): EntryId {
  const waiting = session.getWaitingCount();
  try {
    const entryId = session.appendMessage(message);
    onTaken();
    return entryId;
  } catch (error) {
    if (session.getWaitingCount() > waiting) onTaken();
    throw error;
  }
}

/** The same for an extension's message, which is its own entry kind. Returns before extensions have answered. */
export function appendCustomMessage(parts: AgentParts, input: CustomMessageInput): EntryId {
  const { customType, content, display, details } = input;
  const entryId = parts.session.appendCustomMessageEntry(customType, content, display, details);
  const entry = parts.session.getEntry(entryId);
  const message = entry === undefined ? null : entryMessage(entry);
  if (message !== null) {
    parts.emit({ type: "message_start", role: message.role });
    parts.emit({ type: "message_end", entryId, message });
    // Never rejects: what goes wrong in an extension is reported by the runner.
    if (parts.hooks.has("message_end")) void parts.hooks.emit<"message_end">({ type: "message_end", message });
  }
  return entryId;
}
