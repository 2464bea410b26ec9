/** Entries parsed on demand and cached within a byte budget (keeps I8). */
import { type EntryId, parseRecord, type SessionEntry, type UnreadableEntry } from "../entry/index.js";
import { lineText } from "./scan/line-text.js";

/**
 * The last entries read, by number, in two generations: what was not read while the younger one filled up is dropped
 * with the older. A single map that drops its oldest key slows down with every key it ever dropped.
 */
export class EntryCache {
  readonly #budget: number;
  #young = new Map<number, SessionEntry>();
  #old = new Map<number, SessionEntry>();
  #youngBytes = 0;
  #oldBytes = 0;

  /** About this many bytes of lines are held. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Bytes of the lines that are held. */
  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** The entry, if it is held. `bytes` is the length of its line. */
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

/** The entry in a line, if it is the one that is expected there. */
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

/** Half a surrogate pair cannot be kept as UTF-8: ids are the same when their bytes are. */
export function isSameId(a: EntryId, b: EntryId): boolean {
  return a === b || Buffer.from(a).equals(Buffer.from(b));
}
