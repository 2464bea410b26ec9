/** Entries parsed on demand and cached within a byte budget (keeps I8). */
import { type EntryId, parseRecord, type SessionEntry, type UnreadableEntry } from "../entry/index.js";
import { lineText } from "./scan/line-text.js";

/**
 * Recently read entries, by number, in two generations: entries not read while the younger generation filled up are
 * dropped with the older one. A single map that drops its oldest key slows down with every key it ever dropped.
 */
export class EntryCache {
  readonly #budget: number;
  #young = new Map<number, SessionEntry>();
  #old = new Map<number, SessionEntry>();
  #youngBytes = 0;
  #oldBytes = 0;

  /** Holds about this many bytes of lines. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Bytes of the lines held. */
  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** The entry, if cached. `bytes` is the length of its line. */
  get(n: number, bytes: number): SessionEntry | undefined {
    const young = this.#young.get(n);
    if (young !== undefined) return young;
    const old = this.#old.get(n);
    if (old !== undefined) this.set(n, old, bytes);
    return old;
  }

  set(n: number, entry: SessionEntry, bytes: number): void {
    if (this.#youngBytes + bytes > this.#budget / 2) {
      this.#old = this.#young;
      this.#oldBytes = this.#youngBytes;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(n, entry);
    this.#youngBytes += bytes;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngBytes = 0;
    this.#oldBytes = 0;
  }
}

/** The entry in a line, if it is the expected one. */
export function entryIn(bytes: Buffer, expected: EntryId): SessionEntry | undefined {
  const text = lineText(bytes);
  if (text === undefined) return undefined;
  const record = parseRecord(text);
  return record.kind === "entry" && isSameId(record.entry.id, expected) ? record.entry : undefined;
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

/** Half a surrogate pair cannot be stored as UTF-8, so IDs are compared by their bytes. */
export function isSameId(a: EntryId, b: EntryId): boolean {
  return a === b || Buffer.from(a).equals(Buffer.from(b));
}
