/**
 * What can still be read from a damaged line.
 *
 * Two things happen to lines in practice: a newline is lost, or a write is cut off and another record lands right behind
 * the stump. Both leave whole records inside one line:
 *
 *     {"type":"message",…}?{"type":"message",…}        {"type":"mess{"type":"message",…}
 */
import { parseRecord, type SessionEntry, type SessionHeader } from "../entry/index.js";
import { lineText } from "./line-text.js";

export interface RecordWithin {
  readonly entry: SessionEntry;
  /** Bytes of the line it stands in. */
  readonly start: number;
  readonly end: number;
}

/** Lines with more starts of records than this are not worth the tries. */
const MOST_STARTS = 64;
const RECORD_START = '{"type":"';
/** Content blocks start like records; only an entry goes on with its id and its parent. Ids are read this far. */
const ENTRY_START = /^\{"type":"[^"\\]+","id":"(?:[^"\\]|\\.)+","parentId":/;
const ENTRY_START_BYTES = 4096;
/** Bytes other than blanks and NUL that may stand between a record and the next, or the end. */
const MOST_STRAY = 16;
const CLOSE = 0x7d;

/** The whole entries inside a line that is not one record, in their order. */
export function recordsWithin(bytes: Buffer): RecordWithin[] {
  const starts = entryStarts(bytes);
  const found: RecordWithin[] = [];
  let end = bytes.length;
  // From the back: the last record ends where the line ends, and the one before it where that one starts.
  for (let i = starts.length - 1; i >= 0; i--) {
    const start = starts[i] as number;
    const record = entryBetween(bytes, start, end);
    if (record === undefined) continue;
    found.unshift(record);
    end = start;
  }
  const only = found[0];
  return found.length === 1 && only?.start === 0 && only.end === bytes.length ? [] : found;
}

/** The header a line starts with, where something else was joined to it. */
export function headerWithin(bytes: Buffer): SessionHeader | undefined {
  const end = entryStarts(bytes)[0];
  if (end === undefined) return undefined;
  const [text] = recordTexts(bytes, 0, end);
  const record = text === undefined ? undefined : parseRecord(text.text);
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

/** The entry that starts at `start` and ends at `end`, but for stray bytes before `end`. */
function entryBetween(bytes: Buffer, start: number, end: number): RecordWithin | undefined {
  for (const { text, end: textEnd } of recordTexts(bytes, start, end)) {
    const record = parseRecord(text);
    // An entry of the tree names its time as well.
    if (record.kind === "entry" && "timestamp" in record.entry) return { entry: record.entry, start, end: textEnd };
  }
  return undefined;
}

/** What may be the text of a record from `start` on: up to the last brace, or the one before, if that is the stray byte. */
function recordTexts(bytes: Buffer, start: number, end: number): { readonly text: string; readonly end: number }[] {
  let stop = end;
  // A machine that lost power leaves any number of NUL bytes.
  while (stop > start && (bytes[stop - 1] as number) <= 0x20) stop--;
  const texts: { readonly text: string; readonly end: number }[] = [];
  for (let before = stop; texts.length < 2; ) {
    const last = bytes.lastIndexOf(CLOSE, before - 1);
    if (last <= start || stop - last > MOST_STRAY) break;
    const text = lineText(bytes.subarray(start, last + 1));
    if (text === undefined) break;
    texts.push({ text, end: last + 1 });
    before = last;
  }
  return texts;
}

export interface DamagedPlace {
  readonly id: string;
  readonly parentId: string | null;
}

/** Where a damaged line stood in the tree, if its first bytes still say so. */
export function placeOfDamaged(bytes: Buffer): DamagedPlace | undefined {
  const head = bytes.toString("utf8", 0, Math.min(bytes.length, 512));
  const id = /"id":"([^"\\]{1,128})"/.exec(head)?.[1];
  const parent = /"parentId":(?:null|"([^"\\]{1,128})")/.exec(head);
  if (id === undefined || parent === null) return undefined;
  return { id, parentId: parent[1] ?? null };
}
