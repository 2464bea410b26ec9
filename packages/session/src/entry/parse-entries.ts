/** Parses lines of a session file. Bad lines are values here, not errors. */
import type { FileEntry, SessionEntry, SessionHeader } from "./entry.js";

/** Why a line is not a header, title or entry. */
export const BAD_RECORD_REASONS = {
  "not-json": "the line is not JSON",
  "not-an-object": "the line is JSON, but not an object",
  "no-type": "the field type is missing or not a string",
  "no-id": "the field id is missing",
  "bad-id": "the field id is not a string, or is empty",
  "bad-parent": "the field parentId is neither a string nor null",
} as const;
export type BadRecordReason = keyof typeof BAD_RECORD_REASONS;

/** oh-my-pi's first line: a fixed-width slot for the session's title, before the header. */
export interface TitleLine {
  readonly type: "title";
  readonly title?: string;
}

export interface BadRecord {
  readonly kind: "bad";
  readonly reason: BadRecordReason;
}

export type ParsedRecord =
  | { readonly kind: "header"; readonly header: SessionHeader }
  | { readonly kind: "title"; readonly title: TitleLine }
  | { readonly kind: "entry"; readonly entry: SessionEntry }
  | BadRecord;

/** A JSON object fresh from the parser. A `__proto__` in the text is an ordinary own property of it. */
export type RawRecord = Record<string, unknown>;

/**
 * Parses one line of a version 3 file. `type`, `id` and `parentId` are checked, the content is not: every other field
 * may be missing or malformed.
 *
 * A missing `parentId` is read as `null`. An ID or parent of another type (such as a number) is bad: guessing a string
 * for it could attach the entry to the wrong parent.
 */
export function parseRecord(text: string): ParsedRecord {
  const read = parseObject(text);
  if (read.kind === "bad") return read;
  const record = read.record;
  if (typeof record.type !== "string") return bad("no-type");
  if (isTitle(record)) return { kind: "title", title: record };
  if (record.id === undefined) return bad("no-id");
  if (!isId(record.id)) return bad("bad-id");
  if (isHeader(record)) return { kind: "header", header: record };
  if (record.parentId === undefined) record.parentId = null;
  return isEntry(record) ? { kind: "entry", entry: record } : bad("bad-parent");
}

/**
 * The header and entries of a JSON Lines text, in any dialect and unchanged: pass the result to `migrateSessionEntries`
 * before relying on IDs and parents.
 *
 * Skips lines that are not objects with a `type`, and a title line. To learn what was skipped, parse line by line with
 * `parseRecord`.
 */
export function parseSessionEntries(text: string): FileEntry[] {
  const entries: FileEntry[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const read = parseObject(text.slice(start, end));
    if (read.kind === "object" && typeof read.record.type === "string" && !isTitle(read.record)) {
      entries.push(read.record as unknown as FileEntry);
    }
    start = end + 1;
  }
  return entries;
}

/**
 * The JSON object in a line, whatever its fields. A byte order mark before it and a carriage return after it are
 * allowed.
 */
export function parseObject(text: string): { readonly kind: "object"; readonly record: RawRecord } | BadRecord {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return bad("not-json");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("not-an-object");
  return { kind: "object", record: value as RawRecord };
}

/** True for a header of any version; a `session` line without an ID is damage. */
export function isHeader(record: RawRecord): record is RawRecord & SessionHeader {
  return record.type === "session" && isId(record.id);
}

/** True if it has a type, an ID, and a parent or `null`. Every other field may be missing or malformed. */
export function isEntry(record: RawRecord): record is RawRecord & SessionEntry {
  const { type, id, parentId } = record;
  if (typeof type !== "string" || type === "session" || !isId(id)) return false;
  return parentId === null || typeof parentId === "string";
}

export function isTitle(record: RawRecord): record is RawRecord & TitleLine {
  return record.type === "title" && record.id === undefined;
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function bad(reason: BadRecordReason): BadRecord {
  return { kind: "bad", reason };
}
