/** Entries parsed when somebody reads them, and kept within a budget of bytes (keeps I8). */
import { type EntryId, parseRecord, type SessionEntry, type UnreadableEntry } from "../entry/index.js";
import { lineText } from "./line-text.js";

export interface CachedEntry {
  readonly entry: SessionEntry;
  readonly bytes: number;
}

/** The last entries read, by number: the longest unread go first when the budget is spent. */
export class EntryCache {
  readonly #budget: number;
  readonly #entries = new Map<number, CachedEntry>();
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get(n: number): SessionEntry | undefined {
    const cached = this.#entries.get(n);
    if (cached === undefined) return undefined;
    this.#entries.delete(n);
    this.#entries.set(n, cached);
    return cached.entry;
  }

  set(n: number, entry: SessionEntry, bytes: number): void {
    this.delete(n);
    this.#entries.set(n, { entry, bytes });
    this.#bytes += bytes;
    for (const [oldest, cached] of this.#entries) {
      if (this.#bytes <= this.#budget || oldest === n) return;
      this.#entries.delete(oldest);
      this.#bytes -= cached.bytes;
    }
  }

  delete(n: number): void {
    const cached = this.#entries.get(n);
    if (cached === undefined) return;
    this.#entries.delete(n);
    this.#bytes -= cached.bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}

/** The entry in a line, if it is the one that is expected there. */
export function entryIn(bytes: Buffer, expected: EntryId): SessionEntry | undefined {
  const text = lineText(bytes);
  if (text === undefined) return undefined;
  const record = parseRecord(text);
  return record.kind === "entry" && record.entry.id === expected ? record.entry : undefined;
}

export function unreadableEntry(id: EntryId, parentId: EntryId | null): UnreadableEntry {
  return {
    type: "unreadable",
    id,
    parentId,
    timestamp: "1970-01-01T00:00:00.000Z",
    reason: "the line of this entry is damaged",
  };
}
