/** Reads the records at both ends of a transcript, which is enough to identify and name it. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type LineRecord, LineRecords } from "./line-records.js";

export interface RecordEnds {
  readonly head: LineRecords;
  /** Empty if the head covers the whole file. */
  readonly tail: LineRecords;
}

/** The records of both ends, in file order. */
export function* recordsOf({ head, tail }: RecordEnds): Generator<LineRecord> {
  yield* head;
  yield* tail;
}

const END = 1 << 16;

/** Undefined if the file is missing or cannot be read. */
export function recordsAtEnds(path: string): RecordEnds | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    // Missing or not readable: lists skip it.
    return undefined;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return undefined;
    const head = new LineRecords(headLines(file, stats.size));
    if (stats.size <= END) return { head, tail: NO_RECORDS };
    const tail = textAt(file, Math.max(END, stats.size - END), END).split("\n");
    return { head, tail: new LineRecords(tail.slice(1)) };
  } catch {
    // A read error is reported when the session is opened.
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** If the head has this few records, one of them is long, usually a pasted image that is followed by the prompt. */
const FEW_RECORDS = 8;
const LONGEST_RECORD = 1 << 23;

/** Completes the last line if it may contain the first prompt. */
function headLines(file: number, size: number): string[] {
  const bytes = bytesAt(file, 0, Math.min(END, size));
  const lines = bytes.toString("utf8").split("\n");
  if (size <= END || lines.length > FEW_RECORDS) return lines;
  const start = bytes.lastIndexOf(NEWLINE) + 1;
  const rest = bytesAt(file, start, Math.min(LONGEST_RECORD, size - start));
  const end = rest.indexOf(NEWLINE);
  return [...lines.slice(0, -1), rest.toString("utf8", 0, end < 0 ? rest.length : end)];
}

const NEWLINE = 0x0a;
export const NO_RECORDS = new LineRecords([]);

function textAt(file: number, offset: number, length: number): string {
  return bytesAt(file, offset, length).toString("utf8");
}

function bytesAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}
