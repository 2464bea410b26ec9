/** Lines that are entries already: written as they are, byte for byte, and never put together again. */
import type { SessionEntry } from "@bough/session/entry/index.js";

const LINES = new WeakMap<SessionEntry, string>();

/** Remembers the line an entry was read from. */
export function withRawLine(entry: SessionEntry, line: string): SessionEntry {
  LINES.set(entry, line);
  return entry;
}

/** Whether an entry has the records it was made from with it (its field `origin`), which the way back needs. */
export type Originals = "keep" | "leave-out";

/** The line of an entry, without its newline: the one it was read from, or a new one in the usual order of keys. */
export function lineOf(entry: SessionEntry, originals: Originals = "keep"): string {
  const raw = LINES.get(entry);
  if (raw !== undefined) return raw;
  const { type, id, parentId, timestamp, ...fields } = entry as SessionEntry & { readonly origin?: unknown };
  const { origin, ...own } = fields;
  return JSON.stringify({ type, id, parentId, timestamp, ...(originals === "keep" ? fields : own) });
}
