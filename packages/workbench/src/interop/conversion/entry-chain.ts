/** A chain of entries under construction: each one's parent is the entry before, and the last ones may still change. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { Place } from "../foreign-entry.js";

/** An entry whose content may still change. Entries after it stay in the chain until it is settled. */
export interface OpenEntry {
  readonly settled: boolean;
  build(): SessionEntry;
}

const NO_TIME = "1970-01-01T00:00:00.000Z";

export class EntryChain {
  /** Parent of the next entry. */
  leaf: EntryId | null = null;
  /** Time of the last record that had one; used for records without a time. */
  time = NO_TIME;
  readonly #waiting: (OpenEntry | SessionEntry)[] = [];

  /** Returns the place of the next entry and moves the leaf there. */
  take(id: EntryId, time = this.time): Place {
    const place = { id, parentId: this.leaf, timestamp: time };
    this.leaf = id;
    return place;
  }

  push(entry: OpenEntry | SessionEntry): void {
    this.#waiting.push(entry);
  }

  /** Removes and yields the leading entries that can no longer change. */
  *drain(): Generator<SessionEntry> {
    let done = 0;
    for (const entry of this.#waiting) {
      if ("build" in entry && !entry.settled) break;
      done += 1;
    }
    for (const entry of this.#waiting.splice(0, done)) yield "build" in entry ? entry.build() : entry;
  }

  /** Remembers the time of a record. Values other than ISO times are ignored. */
  noteTime(value: unknown): void {
    if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT/.test(value)) return;
    const parsed = Date.parse(value);
    if (!Number.isNaN(parsed)) this.time = new Date(parsed).toISOString();
  }
}

export function millisecondsOf(time: string): number {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? 0 : parsed;
}
