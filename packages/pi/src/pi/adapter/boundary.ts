/** Applies what a handler of `turn_end` or `agent_before_settle` returns: entries to add, and whether to continue. */
import { isRecord } from "@bough/session/text/index.js";

interface Sending {
  sendMessage(message: unknown, options?: object): void;
  appendEntry(customType: string, data?: unknown): unknown;
}

/**
 * Adds entries to the session and may request another step. If `continue` comes without a message, sends a hidden one,
 * because a request needs one.
 */
export function applyBoundary(api: Sending, answer: unknown, deliverAs: "steer" | "followUp"): void {
  if (!isRecord(answer)) return;
  const drafts = Array.isArray(answer.entries) ? (answer.entries as readonly unknown[]).filter(isRecord) : [];
  let isSent = false;
  for (const draft of drafts) {
    if (draft.type === "custom") api.appendEntry(String(draft.customType), draft.data);
    else if (draft.type === "custom_message") {
      const { type: _, ...message } = draft;
      api.sendMessage(message, answer.continue === true ? { triggerTurn: true, deliverAs } : {});
      isSent = true;
    } else throw new Error(`Cannot add an entry of type ${String(draft.type)} here; use custom or custom_message`);
  }
  if (answer.continue === true && !isSent) {
    const message = { customType: "pi.continue", content: "Continue.", display: false };
    api.sendMessage(message, { triggerTurn: true, deliverAs });
  }
}
