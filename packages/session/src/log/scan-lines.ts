/**
 * Walks the lines of a log in large reads, without a string or an object per line (keeps I8).
 *
 * A line longer than the buffer is not held in memory: the visitor sees its first bytes, its length and its last byte.
 */
/** Reads up to `length` bytes at `offset` into `buffer` at `at`; returns the number read, 0 at the end. */
export type ReadInto = (buffer: Buffer, at: number, length: number, offset: number) => number;

/**
 * `bytes[start..end)` is the line without its newline, or its first part if `length` is larger than `end - start`.
 * Valid only during the call.
 */
export type LineVisitor = (line: ScannedLine) => void;

/** A single object, reused for every line. */
export interface ScannedLine {
  bytes: Buffer;
  start: number;
  end: number;
  /** The offset of the line in the log, and its length without the newline. */
  offset: number;
  length: number;
  /** The last byte that is not white space, or -1 for a line without any. */
  last: number;
  /** False for bytes at the end of the log without a newline. */
  terminated: boolean;
}

export interface ScanEnd {
  /** Offset after the last line that ends with a newline. */
  readonly certain: number;
  /** Offset after the last byte. */
  readonly end: number;
}

const NEWLINE = 0x0a;
const CHUNK = 1 << 20;
/** How much of an overlong line the visitor sees. */
const HEAD = 1 << 16;

/** The buffer of the last scan, reused by the next: opening a small file must not cost the collector a megabyte. */
let spare: Buffer | undefined;

/** Visits the lines of a log from an offset on, wherever its bytes are stored, and returns where they end. */
export function scanLines(read: ReadInto, from: number, visit: LineVisitor): ScanEnd {
  const buffer = spare ?? Buffer.allocUnsafe(CHUNK);
  // A visitor may start its own scan, which needs another buffer.
  spare = undefined;
  try {
    return scanThrough(buffer, { read, from, visit });
  } finally {
    spare = buffer;
  }
}

function scanThrough(
  buffer: Buffer,
  { read, from, visit }: { readonly read: ReadInto; readonly from: number; readonly visit: LineVisitor },
): ScanEnd {
  const line: ScannedLine = { bytes: buffer, start: 0, end: 0, offset: 0, length: 0, last: 0, terminated: true };
  /** Bytes of an unfinished line at the start of the buffer. */
  let held = 0;
  /** Log offset of the buffer's first byte. */
  let base = from;

  for (;;) {
    const got = read(buffer, held, CHUNK - held, base + held);
    if (got === 0) break;
    const filled = held + got;
    const view = filled === CHUNK ? buffer : buffer.subarray(0, filled);
    let start = 0;
    let newline = view.indexOf(NEWLINE, held);
    while (newline >= 0) {
      line.start = start;
      line.end = newline;
      line.offset = base + start;
      line.length = newline - start;
      line.last = lastByte(buffer, start, newline);
      visit(line);
      start = newline + 1;
      newline = view.indexOf(NEWLINE, start);
    }
    held = filled - start;
    if (held === CHUNK) {
      base = visitLongLine(read, base, line, visit);
      held = 0;
      line.bytes = buffer;
      if (!line.terminated) return { certain: line.offset, end: line.offset + line.length };
      continue;
    }
    if (start > 0) buffer.copyWithin(0, start, filled);
    base += start;
  }

  if (held > 0) {
    line.start = 0;
    line.end = held;
    line.offset = base;
    line.length = held;
    line.last = lastByte(buffer, 0, held);
    line.terminated = false;
    visit(line);
  }
  return { certain: base, end: base + held };
}

/** Handles the line that fills the whole buffer; returns the offset after it. Sets `terminated` on `line`. */
function visitLongLine(read: ReadInto, offset: number, line: ScannedLine, visit: LineVisitor): number {
  const head = Buffer.from(line.bytes.subarray(0, HEAD));
  const chunk = Buffer.allocUnsafe(CHUNK);
  let last = lastByte(line.bytes, 0, CHUNK);
  let at = offset + CHUNK;
  let next = -1;
  for (;;) {
    const got = read(chunk, 0, CHUNK, at);
    if (got === 0) break;
    const newline = chunk.subarray(0, got).indexOf(NEWLINE);
    const seen = newline < 0 ? got : newline;
    const lastSeen = lastByte(chunk, 0, seen);
    if (lastSeen >= 0) last = lastSeen;
    at += seen;
    if (newline >= 0) {
      next = at + 1;
      break;
    }
  }
  line.bytes = head;
  line.start = 0;
  line.end = head.length;
  line.offset = offset;
  line.length = at - offset;
  line.last = last;
  line.terminated = next >= 0;
  visit(line);
  return next >= 0 ? next : at;
}

function lastByte(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && isBlank(bytes[at] as number)) at--;
  return at >= start ? (bytes[at] as number) : -1;
}

/** JSON's white space within a line. NUL is not included: a run of NULs is damage, not an empty line. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
