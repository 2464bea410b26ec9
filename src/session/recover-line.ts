/**
 * What can still be read from a damaged line.
 *
 * Two things happen to lines in practice: a newline is lost, or a write is cut off and another record lands right behind
 * the stump. Both leave whole records inside one line:
 *
 *     {"type":"message",…}?{"type":"message",…}        {"type":"mess{"type":"message",…}
 */
import { parseRecord, type SessionEntry } from "../entry/index.js";
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

/** The whole entries inside a line that is not one record, in their order. */
export function recordsWithin(bytes: Buffer): RecordWithin[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(RECORD_START); at >= 0 && starts.length < MOST_STARTS; ) {
    starts.push(at);
    at = bytes.indexOf(RECORD_START, at + 1);
  }
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

/** The entry that starts at `start` and ends at `end`, but for a stray byte or blanks before `end`. */
function entryBetween(bytes: Buffer, start: number, end: number): RecordWithin | undefined {
  const last = bytes.lastIndexOf("}", end - 1);
  if (last <= start || end - last > 16) return undefined;
  const text = lineText(bytes.subarray(start, last + 1));
  if (text === undefined) return undefined;
  const record = parseRecord(text);
  // Content blocks look like records too: an entry of the tree names its parent and its time.
  if (record.kind !== "entry" || !("timestamp" in record.entry) || !text.includes('"parentId"')) return undefined;
  return { entry: record.entry, start, end: last + 1 };
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
