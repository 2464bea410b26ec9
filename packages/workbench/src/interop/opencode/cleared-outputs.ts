/** Old outputs that opencode no longer sends: the model is shown that they were cleared. */
import type { EntryId } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { SessionEntries } from "./session-entries.js";
import type { JsonObject } from "./session-store.js";

/** What opencode sends in place of an output it has cleared, and of the images with it. */
const CLEARED = "[Old tool result content cleared]";

/** A result whose output was cleared at some time. */
export interface ClearedOutput {
  readonly time: number;
  readonly partId: string;
  readonly result: EntryId;
}

/**
 * Outputs are cleared turns after they were made, and the store only says when. So a context edit is where the
 * session was at that time: what was imported before stays as it is, and what came after is below the edit.
 */
export class ClearedOutputs {
  readonly #entries: SessionEntries;
  #waiting: ClearedOutput[] = [];

  constructor(entries: SessionEntries) {
    this.#entries = entries;
  }

  /** Those that have no edit yet. */
  get waiting(): readonly ClearedOutput[] {
    return this.#waiting;
  }

  hear(partId: string, part: JsonObject, result: EntryId): void {
    const time = clearedTime(part);
    if (time !== undefined) this.#waiting.push({ time, partId, result });
  }

  /** Adds the edits that were made up to a time. Default: all. */
  add(until = Number.POSITIVE_INFINITY): void {
    const due = this.#waiting.filter(({ time }) => time <= until);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((cleared) => !due.includes(cleared));
    this.edit(due);
  }

  /** Adds edits where the chain is. What was undone may hold others of the same outputs: each is named by its place. */
  edit(outputs: readonly ClearedOutput[]): void {
    const { chain } = this.#entries;
    for (const { time, partId, result } of [...outputs].sort((a, b) => a.time - b.time)) {
      const id = this.#entries.id("cleared", partId, chain.leaf ?? "");
      const place = chain.take(id, new Date(time).toISOString());
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
