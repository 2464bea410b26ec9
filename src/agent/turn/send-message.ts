/** Messages from extensions: now, after the turn, or with their own turn. */
import type { EntryId } from "../../entry/index.js";
import type { RunOutcome } from "../agent-events.js";
import type { RunParts } from "../run-parts.js";
import { appendCustomMessage } from "./append-message.js";

/** What became of a message or a queued text. */
export type Delivery =
  | { readonly kind: "queued" }
  | { readonly kind: "appended"; readonly entryId: EntryId }
  /** It started a run. The promise may be ignored: a failure is also told to front ends. */
  | { readonly kind: "run"; readonly outcome: Promise<RunOutcome> };

type SendPlan = "queue" | "append" | "append-and-run";

/**
 * While an operation runs, a message waits and is appended after the turn, and never starts one: it must not come
 * between a call and its result, nor on a branch that is just being left.
 */
export function planSend(state: { readonly busy: boolean; readonly triggerTurn: boolean }): SendPlan {
  if (state.busy) return "queue";
  return state.triggerTurn ? "append-and-run" : "append";
}

/** Appends what extensions sent meanwhile, oldest first. */
export function appendQueuedMessages(parts: RunParts): void {
  const waiting = [...parts.queue.takeCustom()];
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    try {
      appendCustomMessage(parts, message);
    } catch (error) {
      // The engine keeps an entry the disk refused; those after it must not be lost to the same failure.
      for (const rest of waiting) parts.queue.addCustom(rest);
      throw error;
    }
  }
}
