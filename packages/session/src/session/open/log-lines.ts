/** Converts the lines of a session to a log, and back. */
import { SessionError } from "../../entry/index.js";
import { MemoryLog } from "../../log/index.js";
import { lineText, wholeLine } from "../scan/line-text.js";
import type { SessionStore } from "../session-store.js";
import { headerLine } from "../write/entry-line.js";

/** A whole text, or its lines with or without their newlines. */
export type LinesGiven = string | Uint8Array | Iterable<string | Uint8Array>;

const NEWLINE = Buffer.from("\n");
/** One block per line would cost more than most lines do. */
const BLOCK = 1 << 18;

/** An in-memory log with the same content as a file with these lines. */
export function logOfLines(lines: LinesGiven, access: "read" | "write"): MemoryLog {
  const log = new MemoryLog({ access });
  if (typeof lines === "string" || lines instanceof Uint8Array) {
    log.fill(Buffer.from(lines as string));
    return log;
  }
  let block: Buffer[] = [];
  let size = 0;
  const flush = (): void => {
    log.fill(Buffer.concat(block));
    block = [];
    size = 0;
  };
  for (const line of lines) {
    const bytes = Buffer.from(line as string);
    block.push(bytes);
    if (bytes.at(-1) !== NEWLINE[0]) block.push(NEWLINE);
    size += bytes.length + 1;
    if (size >= BLOCK) flush();
  }
  flush();
  return log;
}

/**
 * Every line of a session as it is in the log, then those waiting to be written; just the header if the log is empty.
 */
export function linesOf(store: SessionStore): string[] {
  const { log } = store;
  const lines: string[] = [];
  log.scan(0, (line) => {
    lines.push(textOf(wholeLine(log, line)));
  });
  if (lines.length === 0) lines.push(headerLine(store.header));
  for (const { line } of store.waitingLines) lines.push(textOf(line.subarray(0, -1)));
  return lines;
}

function textOf(bytes: Buffer): string {
  const text = lineText(bytes);
  if (text !== undefined) return text;
  throw new SessionError("line-too-long", "A line of this session is too long for a string");
}
