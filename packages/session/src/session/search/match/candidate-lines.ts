/** Reads a file through one window and yields the lines that may hold a match (keeps I8). */
import { constants } from "node:buffer";
import { readSync } from "node:fs";
import type { LineFilter } from "./line-filter.js";

export interface CandidateLine {
  /** The start of the line in the file. */
  readonly offset: number;
  /** Without its newline. Valid until the next step. */
  readonly bytes: Buffer;
}

interface ReadStep {
  readonly lines: readonly CandidateLine[];
  /** Bytes of the file read so far. */
  readonly done: number;
  /** All bytes of the file, if it fits into the window. Valid until the next step. */
  readonly whole?: Buffer;
  /** Set if a line is longer than the runtime can hold as text and may hold a match. */
  readonly tooLong?: { readonly offset: number; readonly length: number };
}

/** Read and searched together while it is in the processor's cache. */
const READ = 1 << 19;
const NEWLINE = 0x0a;
/** Searched again after a part of a long line: more than the longest run of bytes searched for. */
const OVERLAP = 1 << 10;

/** An open file and where to start in it. */
export interface OpenedFile {
  readonly fd: number;
  /** The start of a line; everything before it is skipped. */
  readonly from: number;
}

/**
 * Is given whole lines as they are read, before they leave the processor's cache: `bytes` from `from` on, where `bytes`
 * is at the start of the window and at `offset` in the file. Lines that do not fit into the window are left out.
 */
export type TakeLines = (bytes: Buffer, place: { readonly from: number; readonly offset: number }) => void;

/**
 * The candidate lines of an open file, one window at a time. Each byte is searched once. A line that does not fit into
 * the window is searched in parts and read whole only if it may hold a match.
 */
export function* candidateLines(
  file: OpenedFile,
  filter: LineFilter,
  take?: TakeLines,
): Generator<ReadStep, void, undefined> {
  const { window } = filter.finder;
  // The byte kept free is for a newline after the last line if the file has none.
  const space = window.length - 1;
  /** The offset of the window in the file. */
  let base = file.from;
  /** Bytes of an unfinished line at the start of the window. */
  let held = 0;
  for (;;) {
    const { lines, searched, filled, atEnd } = fillWindow(file, filter, { base, held, space, take });
    if (atEnd) {
      const whole = base === 0 ? { whole: window.subarray(0, filled) } : {};
      if (filled > 0) yield { lines, done: base + filled, ...whole };
      return;
    }
    if (searched === 0) {
      const step = searchLongLine(file.fd, filter, base);
      yield step;
      base = step.done;
      held = 0;
      continue;
    }
    yield { lines, done: base + searched };
    window.copyWithin(0, searched, filled);
    base += searched;
    held = filled - searched;
  }
}

interface Filling {
  readonly base: number;
  readonly held: number;
  readonly space: number;
  readonly take: TakeLines | undefined;
}

interface Filled {
  readonly lines: readonly CandidateLine[];
  /** The end of the last complete line. */
  readonly searched: number;
  readonly filled: number;
  readonly atEnd: boolean;
}

/** Reads until the window is full or the file ends, and searches the lines as they become complete. */
function fillWindow({ fd }: OpenedFile, filter: LineFilter, { base, held, space, take }: Filling): Filled {
  const { window } = filter.finder;
  const starts: number[] = [];
  let searched = 0;
  let filled = held;
  let atEnd = false;
  while (filled < space && !atEnd) {
    const length = Math.min(READ, space - filled);
    const got = readSync(fd, window, filled, length, base + filled);
    atEnd = got === 0;
    if (atEnd) window[filled] = NEWLINE;
    const end = atEnd ? filled + 1 : window.lastIndexOf(NEWLINE, filled + got - 1) + 1;
    if (end > filled) {
      for (const start of filter.linesIn(searched, end)) starts.push(start);
      if (!atEnd) take?.(window.subarray(0, end), { from: searched, offset: base });
      searched = end;
    }
    filled += got;
  }
  const lines = starts.map((start) => {
    return { offset: base + start, bytes: window.subarray(start, window.indexOf(NEWLINE, start)) };
  });
  return { lines, searched, filled, atEnd };
}

/** Searches the line that starts at `offset` and fills the window; `done` is the offset after it. */
function searchLongLine(fd: number, filter: LineFilter, offset: number): ReadStep {
  const { window } = filter.finder;
  let filled = window.length - 1;
  let holds = filter.holdsPart(0, filled);
  let at = offset + filled;
  let newline = -1;
  while (newline < 0) {
    window.copyWithin(0, filled - OVERLAP, filled);
    const got = readSync(fd, window, OVERLAP, window.length - 1 - OVERLAP, at);
    if (got === 0) break;
    filled = OVERLAP + got;
    newline = window.subarray(OVERLAP, filled).indexOf(NEWLINE);
    const seen = newline < 0 ? got : newline;
    holds ||= filter.holdsPart(0, OVERLAP + seen);
    at += seen;
  }
  const done = newline < 0 ? at : at + 1;
  const length = at - offset;
  if (!holds) return { lines: [], done };
  if (length > constants.MAX_STRING_LENGTH) return { lines: [], done, tooLong: { offset, length } };
  return { lines: [{ offset, bytes: readWhole(fd, offset, length) }], done };
}

function readWhole(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}
