import { entryMessage } from "@bough/session/context/index.js";
import type { AgentMessage, EntryId, ToolResultMessage } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { CustomMessageInput } from "../../extension/index.js";
import type { AgentParts } from "../agent-parts.js";

export interface AppendOptions {
  /**
   * The session has the message. Called before listeners are notified, and even if the disk is full: then the message
   * is only in memory.
   */
  readonly onTaken?: () => void;
}

/**
 * Shows a message to extensions, which may replace it, puts it into the session, then tells front ends. It is in the
 * file before they are notified: the append comes first and is synchronous.
 */
export async function appendMessage<Message extends AgentMessage>(
  parts: AgentParts,
  given: Message,
  { onTaken = () => {} }: AppendOptions = {},
): Promise<{ readonly entryId: EntryId; readonly message: Message }> {
  const { hooks } = parts;
  // The start of an answer was already reported with its first piece.
  if (given.role !== "assistant") {
    parts.emit({ type: "message_start", role: given.role });
    if (hooks.has("message_start")) await hooks.emit<"message_start">({ type: "message_start", message: given });
  }
  const message = hooks.has("message_end") ? await replaced(parts, given) : given;
  const entryId = takeIn(parts.session, message, onTaken);
  parts.emit({ type: "message_end", entryId, message });
  return { entryId, message };
}

/** The replacement from an extension, if it has the same role. */
async function replaced<Message extends AgentMessage>({ hooks, emit }: AgentParts, message: Message): Promise<Message> {
  const answers = await hooks.emit<"message_end">({ type: "message_end", message });
  let current = message;
  for (const { extension, result } of answers) {
    if (!isRecord(result?.message)) continue;
    if (result.message.role === message.role) {
      current = { ...(result.message as unknown as Message), ...placeOf(message) };
    } else {
      const reason = `it returned a message with another role (${String(result.message.role)}), which is not used`;
      emit({ type: "extension_problem", extension, event: "message_end", message: reason });
    }
  }
  return current;
}

/** Keep the link to the call, whatever an extension returns: a call without a result cannot be sent. */
function placeOf(message: AgentMessage): Partial<ToolResultMessage> {
  return message.role === "toolResult" ? { toolCallId: message.toolCallId, toolName: message.toolName } : {};
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
    const { hooks } = parts;
    if (hooks.has("message_start")) void hooks.emit<"message_start">({ type: "message_start", message });
    if (hooks.has("message_end")) void hooks.emit<"message_end">({ type: "message_end", message });
  }
  return entryId;
}
