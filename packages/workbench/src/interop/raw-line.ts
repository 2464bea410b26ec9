/** Remembers the original line of entries that need no conversion, so that they are written byte for byte. */
import type { SessionEntry } from "@bough/session/entry/index.js";

const LINES = new WeakMap<SessionEntry, string>();

export function withRawLine(entry: SessionEntry, line: string): SessionEntry {
  LINES.set(entry, line);
  return entry;
}

/** Whether entries contain their original records (field `origin`), which writing them back needs. */
export type Originals = "keep" | "leave-out";

/** The line of an entry, without a newline: the one it was read from, or a new one with keys in the usual order. */
export function lineOf(entry: SessionEntry, originals: Originals = "keep"): string {
  const raw = LINES.get(entry);
  if (raw !== undefined) return raw;
  const { type, id, parentId, timestamp, ...fields } = entry as SessionEntry & { readonly origin?: unknown };
  const { origin, ...own } = fields;
  return JSON.stringify({ type, id, parentId, timestamp, ...(originals === "keep" ? fields : own) });
}
