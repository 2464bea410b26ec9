/**
 * What can still be read from a damaged line.
 *
 * Two kinds of damage occur in practice: a newline is lost, or a write is cut off and another record follows directly.
 * Both leave whole records inside one line:
 *
 *     {"type":"message",…}?{"type":"message",…}        {"type":"mess{"type":"message",…}
 */
import { parseRecord, type SessionEntry, type SessionHeader } from "../../entry/index.js";
import { lineText } from "./line-text.js";

export interface RecordWithin {
  readonly entry: SessionEntry;
  /** Byte offsets within the line. */
  readonly start: number;
  readonly end: number;
}

/** Lines with more record starts than this are not worth the attempts. */
const MOST_STARTS = 64;
const RECORD_START = '{"type":"';
const HEADER_START = '{"type":"session"';
/** Content blocks start like records; only an entry continues with its ID and its parent. IDs are read this far. */
const ENTRY_START = /^\{"type":"[^"\\]+","id":"(?:[^"\\]|\\.)+","parentId":/;
const ENTRY_START_BYTES = 4096;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The whole entries inside a line that is not a single record, in order. */
export function recordsWithin(bytes: Buffer): RecordWithin[] {
  const found: RecordWithin[] = [];
  let from = 0;
  for (const start of entryStarts(bytes)) {
    // A start inside a record already read is part of its content.
    if (start < from) continue;
    const end = objectEnd(bytes, start);
    const text = end < 0 ? undefined : lineText(bytes.subarray(start, end));
    const record = text === undefined ? undefined : parseRecord(text);
    // A real entry also has a timestamp.
    if (record?.kind !== "entry" || !("timestamp" in record.entry)) continue;
    found.push({ entry: record.entry, start, end });
    from = end;
  }
  const only = found[0];
  return found.length === 1 && only?.start === 0 && only.end === bytes.length ? [] : found;
}

/** The header at the start of a line that has something else joined to it. */
export function headerWithin(bytes: Buffer): SessionHeader | undefined {
  const start = bytes.indexOf(HEADER_START);
  const end = start < 0 ? -1 : objectEnd(bytes, start);
  const text = end < 0 ? undefined : lineText(bytes.subarray(start, end));
  const record = text === undefined ? undefined : parseRecord(text);
  return record?.kind === "header" ? record.header : undefined;
}

function entryStarts(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(RECORD_START); at >= 0 && starts.length < MOST_STARTS; ) {
    if (ENTRY_START.test(bytes.toString("latin1", at, at + ENTRY_START_BYTES))) starts.push(at);
    at = bytes.indexOf(RECORD_START, at + 1);
  }
  return starts;
}

/** The end of the object that starts at `start`, or -1. Looks only at strings and braces; the caller parses it. */
function objectEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (at < 0) return -1;
    } else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}

/** The offset of the closing quote of the string that starts at `start`, or -1. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start + 1); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let before = quote - 1;
    while (bytes[before] === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return -1;
}

export interface DamagedPlace {
  readonly id: string;
  readonly parentId: string | null;
}

/** The ID and parent of a damaged line, if its first bytes still hold them. */
export function idAndParentIn(bytes: Buffer): DamagedPlace | undefined {
  const head = bytes.toString("utf8", 0, Math.min(bytes.length, 512));
  const id = /"id":"([^"\\]{1,128})"/.exec(head)?.[1];
  const parent = /"parentId":(?:null|"([^"\\]{1,128})")/.exec(head);
  if (id === undefined || parent === null) return undefined;
  return { id, parentId: parent[1] ?? null };
}
