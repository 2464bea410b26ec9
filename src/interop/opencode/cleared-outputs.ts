/** Old outputs that opencode no longer sends: the model is shown that they were cleared. */
import type { EntryId } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";
import type { SessionEntries } from "./session-entries.js";
import type { JsonObject } from "./session-store.js";

/** What opencode sends in place of an output it has cleared, and of the images with it. */
const CLEARED = "[Old tool result content cleared]";

/**
 * Outputs are cleared turns after they were made, and the store only says when. So a context edit is where the
 * session was at that time: what was imported before stays as it is, and what came after is below the edit.
 */
export class ClearedOutputs {
  readonly #entries: SessionEntries;
  #waiting: { readonly time: number; readonly partId: string; readonly result: EntryId }[] = [];

  constructor(entries: SessionEntries) {
    this.#entries = entries;
  }

  hear(partId: string, part: JsonObject, result: EntryId): void {
    const time = clearedTime(part);
    if (time !== undefined) this.#waiting.push({ time, partId, result });
  }

  /** Adds the edits that were made up to a time. Default: all. */
  add(until = Number.POSITIVE_INFINITY): void {
    const due = this.#waiting.filter(({ time }) => time <= until).sort((a, b) => a.time - b.time);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((cleared) => !due.includes(cleared));
    const { chain } = this.#entries;
    for (const { time, partId, result } of due) {
      const place = chain.take(this.#entries.id("cleared", partId), new Date(time).toISOString());
      chain.push({ type: "context_edit", ...place, targetId: result, replacement: CLEARED });
    }
  }
}

const LAST_TIME = 8.64e15;

function clearedTime({ state }: JsonObject): number | undefined {
  if (!isRecord(state) || (state.status !== "completed" && state.status !== "success")) return undefined;
  const time = isRecord(state.time) ? state.time.compacted : undefined;
  return typeof time === "number" && Math.abs(time) <= LAST_TIME ? time : undefined;
}
