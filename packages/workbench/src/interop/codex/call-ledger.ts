/** Tracks calls, the entries that contain them, and events about them that came before their output. */
import type { EntryId } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";
import type { JsonObject, RolloutRecord } from "./rollout-record.js";

interface OpenCall {
  readonly name: string;
  readonly entryId: EntryId;
  answered: boolean;
}

export interface CallEvent {
  readonly record: RolloutRecord;
  readonly details: JsonObject;
}

export class CallLedger {
  readonly #calls = new Map<string, OpenCall>();
  readonly #events = new Map<string, CallEvent>();
  /** For each sub-agent's thread, the call that started it. */
  readonly starters = new Map<string, { readonly callId: string; readonly entryId: EntryId }>();

  made(id: string, name: string, entryId: EntryId): void {
    this.#calls.set(id, { name, entryId, answered: false });
  }

  /** The call that an output belongs to; undefined if there is none or it already has its output. */
  answer(id: string): OpenCall | undefined {
    const call = this.#calls.get(id);
    if (call === undefined || call.answered) return undefined;
    call.answered = true;
    return call;
  }

  started(thread: string, callId: string): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) this.starters.set(thread, { callId, entryId: call.entryId });
  }

  /** Returns true if the event was kept for the output of its call. */
  expect(record: RolloutRecord): boolean {
    const event = callEventIn(record);
    if (event === undefined || this.#events.has(event.id)) return false;
    const call = this.#calls.get(event.id);
    if (call === undefined || call.answered) return false;
    this.#events.set(event.id, { record, details: event.details });
    return true;
  }

  takeEvent(id: string): CallEvent | undefined {
    const event = this.#events.get(id);
    this.#events.delete(id);
    return event;
  }

  /** Removes and returns the events whose calls never got an output. */
  flush(): CallEvent[] {
    const alone = [...this.#events.values()];
    this.#events.clear();
    return alone;
  }
}

function callEventIn({ kind, payload }: RolloutRecord): { id: string; details: JsonObject } | undefined {
  if (kind === "item_completed") {
    const { item } = payload;
    const id = isRecord(item) ? stringIn(item.id) : undefined;
    return isRecord(item) && id !== undefined ? { id, details: item } : undefined;
  }
  const id = stringIn(payload.call_id);
  return id !== undefined && kind.endsWith("_end") ? { id, details: payload } : undefined;
}

/** Whether a call failed according to an event; undefined if the event does not tell. */
export function failedCall(details: JsonObject): boolean | undefined {
  const exit = details.exit_code ?? details.exitCode;
  if (typeof exit === "number") return exit !== 0;
  if (typeof details.success === "boolean") return !details.success;
  const status = stringIn(details.status)?.toLowerCase();
  if (status === "failed" || status === "declined") return true;
  const result = isRecord(details.result) ? details.result : undefined;
  if (result !== undefined && ("Err" in result || "Ok" in result)) return "Err" in result;
  return status === "completed" ? false : undefined;
}
