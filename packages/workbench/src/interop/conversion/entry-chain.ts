/** A line of entries under construction: each hangs below the one before, and the last ones may still be open. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { Place } from "../foreign-entry.js";

/** An entry whose content may still change. Nothing after it leaves the chain before it is settled. */
export interface OpenEntry {
  readonly settled: boolean;
  build(): SessionEntry;
}

const NO_TIME = "1970-01-01T00:00:00.000Z";

export class EntryChain {
  /** What the next entry hangs below. */
  leaf: EntryId | null = null;
  /** The last time any record named; entries of records without one get it. */
  time = NO_TIME;
  readonly #waiting: (OpenEntry | SessionEntry)[] = [];

  /** The place of the next entry, and the leaf moves there. */
  take(id: EntryId, time = this.time): Place {
    const place = { id, parentId: this.leaf, timestamp: time };
    this.leaf = id;
    return place;
  }

  push(entry: OpenEntry | SessionEntry): void {
    this.#waiting.push(entry);
  }

  /** The entries that can no longer change, in order. */
  *drain(): Generator<SessionEntry> {
    let done = 0;
    for (const entry of this.#waiting) {
      if ("build" in entry && !entry.settled) break;
      done += 1;
    }
    for (const entry of this.#waiting.splice(0, done)) yield "build" in entry ? entry.build() : entry;
  }

  /** Notes a time; what is not an ISO time is not one. */
  hearTime(value: unknown): void {
    if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT/.test(value)) return;
    const parsed = Date.parse(value);
    if (!Number.isNaN(parsed)) this.time = new Date(parsed).toISOString();
  }
}

export function millisecondsOf(time: string): number {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? 0 : parsed;
}
