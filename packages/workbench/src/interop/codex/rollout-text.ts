/** Generates the records of a rollout: items for the model, and the events from which Codex builds its lists. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { foreignSessionId } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import type { JsonObject } from "./rollout-record.js";
import type { WrittenItem } from "./write/write-items.js";

export class RolloutText {
  #records: JsonObject[] = [];
  readonly #session: string;
  #time: string;
  #turns = 0;
  #turn: string | undefined;
  #last: string | null = null;
  #error: string | undefined;
  #aborted = false;

  constructor(session: string, time: string) {
    this.#session = session;
    this.#time = time;
  }

  add(type: string, payload: JsonObject, time?: string, metadata?: unknown): void {
    this.#time = isTime(time) ? time : this.#time;
    const beside = defined({ metadata });
    this.#records.push({ timestamp: this.#time, type, payload, ...beside });
  }

  /** The records added since the last call. */
  take(): readonly JsonObject[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Writes a `user_message` event, without which Codex does not list the session. */
  beginTurn(prompt: string, time: string): void {
    this.endTurn();
    this.#turns += 1;
    this.#turn = foreignSessionId("codex", `${this.#session} turn ${this.#turns}`);
    this.add("event_msg", { type: "task_started", turn_id: this.#turn }, time);
    this.add("event_msg", { type: "user_message", message: prompt, images: [], local_images: [], text_elements: [] });
  }

  addItem({ item, time, metadata }: WrittenItem, entryTime: string): void {
    this.add("response_item", item, time ?? entryTime, metadata);
    const text = item.role === "assistant" && item.type === "message" ? textIn(item.content) : "";
    if (text === "") return;
    this.#last = text;
    this.add("event_msg", { type: "agent_message", message: text });
  }

  noteEnding(entry: SessionEntry): void {
    if (entry.type !== "message" || entry.message.role !== "assistant") return;
    this.#aborted = entry.message.stopReason === "aborted";
    this.#error =
      entry.message.stopReason === "error" ? (entry.message.errorMessage ?? "The answer failed.") : undefined;
  }

  /** Without this, Codex would treat the turn as interrupted when the session is forked. */
  endTurn(): void {
    if (this.#turn === undefined) return;
    const turn_id = this.#turn;
    if (this.#aborted) this.add("event_msg", { type: "turn_aborted", turn_id, reason: "interrupted" });
    else {
      const error = this.#error === undefined ? {} : { error: { message: this.#error, codex_error_info: "other" } };
      this.add("event_msg", { type: "task_complete", turn_id, last_agent_message: this.#last, ...error });
    }
    this.#turn = undefined;
    this.#last = null;
    this.#error = undefined;
    this.#aborted = false;
  }
}

function isTime(time: string | undefined): time is string {
  return time !== undefined && !Number.isNaN(Date.parse(time));
}

function textIn(content: unknown): string {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => (isRecord(part) ? [stringIn(part.text) ?? ""] : [])).join("\n");
}
