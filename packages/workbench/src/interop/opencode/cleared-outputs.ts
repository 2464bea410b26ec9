/** Old outputs that opencode no longer sends: the model sees that they were cleared. */
import type { EntryId } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { SessionEntries } from "./session-entries.js";
import type { JsonObject } from "./session-store.js";

/** What opencode sends instead of an output that it has cleared, and of its images. */
const CLEARED = "[Old tool result content cleared]";

/** A result whose output was cleared. */
export interface ClearedOutput {
  readonly time: number;
  readonly partId: string;
  readonly result: EntryId;
}

/**
 * Outputs are cleared some turns later, and the store records only the time. So a context edit is added where the
 * session was at that time: entries imported earlier do not change, and later ones are below the edit.
 */
export class ClearedOutputs {
  readonly #entries: SessionEntries;
  #waiting: ClearedOutput[] = [];

  constructor(entries: SessionEntries) {
    this.#entries = entries;
  }

  /** Cleared outputs without an edit. */
  get waiting(): readonly ClearedOutput[] {
    return this.#waiting;
  }

  note(partId: string, part: JsonObject, result: EntryId): void {
    const time = clearedTime(part);
    if (time !== undefined) this.#waiting.push({ time, partId, result });
  }

  /** Adds edits for outputs cleared up to a time. Default: all. */
  add(until = Number.POSITIVE_INFINITY): void {
    const due = this.#waiting.filter(({ time }) => time <= until);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((cleared) => !due.includes(cleared));
    this.edit(due);
  }

  /**
   * Adds edits at the current position. Their IDs include it, since an undone branch may have edits of the same
   * outputs.
   */
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
