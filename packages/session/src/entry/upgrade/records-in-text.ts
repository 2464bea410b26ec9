/**
 * Whole records inside a line of an old file that is not a single record: a newline was lost, or a write was cut off
 * and another record follows directly.
 */
import type { SessionEntry } from "../entry.js";
import { Kind, kindOf } from "../kind.js";
import { isHeader, parseObject, type RawRecord } from "../parse-entries.js";

interface RecordInText {
  readonly record: RawRecord;
  readonly start: number;
  readonly end: number;
}

const RECORD_START = '{"type":"';
/** Lines with more record starts than this are not worth the attempts. */
const MOST_STARTS = 64;

/** In order; a start inside one of them is part of its content. */
export function recordsInText(text: string): RecordInText[] {
  const found: RecordInText[] = [];
  let tries = 0;
  for (let start = text.indexOf(RECORD_START); start >= 0 && tries < MOST_STARTS; tries++) {
    const end = objectEnd(text, start);
    const read = end < 0 ? undefined : parseObject(text.slice(start, end));
    const isWhole = read?.kind === "object" && isRecord(read.record);
    if (isWhole) found.push({ record: read.record, start, end });
    start = text.indexOf(RECORD_START, isWhole ? end : start + 1);
  }
  return found;
}

/** Content blocks start like records. Only a record has a timestamp and a type that old files use. */
function isRecord(record: RawRecord): boolean {
  if (isHeader(record)) return true;
  const isKnown = record.type === "stack_summary" || kindOf(record as unknown as SessionEntry) !== Kind.other;
  return isKnown && typeof record.timestamp === "string";
}

/** The end of the object that starts at `start`, or -1. Looks only at strings and braces; the caller parses it. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      at = stringEnd(text, at);
      if (at < 0) return -1;
    } else if (letter === "{") depth += 1;
    else if (letter === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

/** The position of the closing quote of the string that starts at `start`, or -1. */
function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === "\\") before--;
    if ((quote - before) % 2 === 1) return quote;
  }
  return -1;
}
