/** Converts the bytes of a line to its text and its record. */
import { constants } from "node:buffer";
import { type ParsedRecord, parseRecord } from "../../entry/index.js";
import type { Log, ScannedLine } from "../../log/index.js";

/** The text of a line, or `undefined` if it is longer than the runtime can hold as one string. */
export function lineText(bytes: Buffer): string | undefined {
  return bytes.length > constants.MAX_STRING_LENGTH ? undefined : bytes.toString("utf8");
}

export function recordIn(bytes: Buffer): ParsedRecord {
  const text = lineText(bytes);
  return text === undefined ? { kind: "bad", reason: "not-json" } : parseRecord(text);
}

/** The whole line, even if the scan holds only its start. Valid until the next line or read. */
export function wholeLine(log: Log, line: ScannedLine): Buffer {
  const complete = line.length === line.end - line.start;
  return complete ? line.bytes.subarray(line.start, line.end) : log.readAt(line.offset, line.length);
}

/** The number of bytes of a byte order mark at the start of a line. */
export function byteOrderMark(line: ScannedLine): number {
  const { bytes, start } = line;
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? 3 : 0;
}
