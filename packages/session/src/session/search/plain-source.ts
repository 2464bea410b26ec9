/** Provides whole lines to an index: from memory that holds the log already, or from a file read through a window. */
import { fstatSync, readSync } from "node:fs";
import type { ByteFinder } from "./match/find-bytes.js";
import { type MessageRuns, MOST_BYTES } from "./message-runs.js";

export interface PlainReader {
  /** Takes runs of messages from the pieces; undefined if the runtime cannot. */
  readonly runs: MessageRuns | undefined;
  readAt(offset: number, length: number): Buffer;
}

export interface PlainSource extends PlainReader {
  /**
   * The log from its start in whole lines, except for a possible rest after the last newline. Each piece is valid until
   * the next.
   */
  pieces(): Iterable<{ readonly bytes: Buffer; readonly offset: number }>;
}

const NEWLINE = 0x0a;
/** Read and processed together while it is in the processor's cache. */
const READ = 1 << 19;

/** A log that fits whole into a finder's window. */
export function plainMemory(bytes: Buffer, runs: MessageRuns | undefined): PlainSource {
  return {
    runs,
    pieces: () => (bytes.length === 0 ? [] : [{ bytes, offset: 0 }]),
    readAt: (offset, length) => bytes.subarray(offset, offset + length),
  };
}

/** A file that stays open while it is read. Undefined if it is too long. */
export function plainFile(fd: number, finder: ByteFinder): PlainSource | undefined {
  const reader = plainReader(fd, finder);
  return reader === undefined ? undefined : { ...reader, pieces: () => pieces(fd, finder.window) };
}

/** The same for pieces that are in the finder's window already. */
export function plainReader(fd: number, { runs }: ByteFinder): PlainReader | undefined {
  if (fstatSync(fd).size >= MOST_BYTES) return undefined;
  return { runs, readAt: (offset, length) => readPart(fd, offset, length) };
}

function* pieces(fd: number, window: Buffer): Generator<{ bytes: Buffer; offset: number }> {
  let offset = 0;
  let filled = 0;
  for (;;) {
    const got = readSync(fd, window, filled, Math.min(READ, window.length - filled), offset + filled);
    if (got === 0) break;
    const end = filled + window.subarray(filled, filled + got).lastIndexOf(NEWLINE) + 1;
    const hasLine = end > filled;
    filled += got;
    if (!hasLine) continue;
    yield { bytes: window.subarray(0, end), offset };
    window.copyWithin(0, end, filled);
    offset += end;
    filled -= end;
  }
  // The start of a line that is incomplete or does not fit.
  if (filled > 0) yield { bytes: window.subarray(0, filled), offset };
}

function readPart(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
}
