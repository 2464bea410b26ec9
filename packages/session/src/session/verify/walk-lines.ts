/**
 * Visits every line of a file, whole, in order and numbered. Other work may run between stretches, and the caller may
 * abort. Holds one line at a time (keeps I8).
 */
import { constants } from "node:buffer";
import { SessionError } from "../../entry/index.js";
import { type FileLog, type ReadInto, type ScannedLine, scanLines, WorkTurns } from "../../log/index.js";

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Called with the bytes read so far and the total. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface FileLine {
  /** Starts at 1. */
  readonly number: number;
  readonly offset: number;
  /** Bytes of the line in the file, without its newline. */
  readonly length: number;
  /** Valid only during the visit. Only the first bytes if `tooLong`. */
  readonly bytes: Buffer;
  /** The line is longer than the runtime can hold as text. */
  readonly tooLong: boolean;
  /** False for bytes at the end of the file without a newline. */
  readonly terminated: boolean;
  /** The last byte that is not white space, or -1. */
  readonly last: number;
}

const STRETCH = 1 << 16;

/** Visits the lines up to offset `to`; returns their number. Anything appended in the meantime is ignored. */
export async function walkLines(
  log: FileLog,
  options: WalkOptions & { readonly to: number },
  visit: (line: FileLine) => void,
): Promise<number> {
  const { to, signal, onProgress } = options;
  let number = 0;
  let from = 0;
  let stretch = STRETCH;
  const turns = new WorkTurns();
  while (from < to) {
    if (signal?.aborted) throw new SessionError("aborted", "Stopped by the caller", { cause: signal.reason });
    const until = Math.min(to, from + stretch);
    const end = scanLines(readerUpTo(log, until), from, (line) => {
      // Cut by the end of the stretch: the next one starts with this line.
      if (!line.terminated && until < to) return;
      number += 1;
      visit(fileLine(log, line, number));
    });
    // The line is longer than the stretch: double it, so that its bytes are read only a few times.
    stretch = end.certain === from ? stretch * 2 : STRETCH;
    from = until === to ? to : end.certain;
    onProgress?.(from, to);
    if (turns.isDue) await turns.yieldNow();
  }
  return number;
}

function readerUpTo(log: FileLog, until: number): ReadInto {
  return (buffer, at, length, offset) => {
    const wanted = Math.min(length, until - offset);
    return wanted <= 0 ? 0 : log.readAt(offset, wanted).copy(buffer, at);
  };
}

function fileLine(log: FileLog, line: ScannedLine, number: number): FileLine {
  const { offset, length, terminated, last } = line;
  const complete = length === line.end - line.start;
  const tooLong = length > constants.MAX_STRING_LENGTH;
  const bytes = complete || tooLong ? line.bytes.subarray(line.start, line.end) : log.readAt(offset, length);
  return { number, offset, length, bytes, tooLong, terminated, last };
}
