/** Messages from extensions: sent now, after the turn, or in a turn of their own. */
import type { EntryId } from "@bough/session/entry/index.js";
import type { CustomMessageInput, SendOptions } from "../../extension/index.js";
import type { RunOutcome } from "../agent-events.js";
import type { RunParts } from "../run-parts.js";
import { appendCustomMessage } from "./append-message.js";
import type { CustomDelivery } from "./message-queue.js";

/** The outcome of a message or a queued text. */
export type Delivery =
  | { readonly kind: "queued" }
  | { readonly kind: "appended"; readonly entryId: EntryId }
  /** It started a run. The promise may be ignored: a failure is also told to front ends. */
  | { readonly kind: "run"; readonly outcome: Promise<RunOutcome> };

type SendPlan = CustomDelivery | "append" | "append-and-run";

interface Sending {
  /** An operation is running. */
  readonly busy: boolean;
  /** It is a model run. */
  readonly running: boolean;
  readonly options: SendOptions | boolean;
}

/**
 * While an operation runs, a message waits and is appended after the turn: it must not come between a call and its
 * result, nor on a branch that is just being left. It continues a run if the options say so; the short form `true` only
 * starts one.
 */
export function planSend({ busy, running, options }: Sending): SendPlan {
  const isShort = typeof options === "boolean";
  const { triggerTurn = false, deliverAs } = isShort ? { triggerTurn: options } : options;
  if (deliverAs === "nextTurn") return "nextTurn";
  if (running && !isShort) return deliverAs ?? (triggerTurn ? "steer" : "after-turn");
  if (busy) return "after-turn";
  return triggerTurn ? "append-and-run" : "append";
}

/** Appends what extensions sent in the meantime, oldest first. Returns whether the model should answer one of them. */
export function appendQueuedMessages(parts: RunParts, run: "goes-on" | "is-over" = "is-over"): boolean {
  const isSteered = parts.queue.hasCustom("steer");
  // A message too late for its run is kept and answered with the next one.
  const due = ["after-turn", "steer", ...(run === "is-over" ? (["followUp"] as const) : [])] as const;
  appendAll(parts, parts.queue.takeCustom(...due));
  return isSteered;
}

/** Appends the messages for the end of the run. Returns whether there were any. */
export function appendFollowUps(parts: RunParts): boolean {
  const messages = parts.queue.takeCustom("followUp");
  appendAll(parts, messages);
  return messages.length > 0;
}

function appendAll(parts: RunParts, messages: readonly CustomMessageInput[]): void {
  const waiting = [...messages];
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
    try {
      appendCustomMessage(parts, message);
    } catch (error) {
      // The engine keeps an entry that could not be written; the same failure must not lose later ones.
      for (const rest of waiting) parts.queue.addCustom(rest);
      throw error;
    }
  }
}
