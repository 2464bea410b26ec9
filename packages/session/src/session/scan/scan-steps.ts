/** A log scanned a few megabytes at a time, so that others can run in between. */
import { type LineVisitor, type Log, type ReadInto, type ScanEnd, scanLines } from "../../log/index.js";
import type { Steps } from "../../text/index.js";

interface ScanStepsOptions {
  /** Bytes that are read at a time. */
  readonly slice?: number | undefined;
  /** Asked between slices: the rest of the log is not read once it is true. */
  readonly isOver?: () => boolean;
}

const SLICE = 1 << 20;

/** Visits the same lines as `log.scan`, and says the same of their end unless it is over before. */
export function* scanSteps(
  log: Log,
  from: number,
  visit: LineVisitor,
  { slice = SLICE, isOver = () => false }: ScanStepsOptions = {},
): Steps<ScanEnd> {
  let at = from;
  for (let size = slice; at + size < log.size(); ) {
    const { certain } = scanLines(upTo(log, at + size), at, (line) => {
      // What the limit cut is read again with the next slice.
      if (line.terminated) visit(line);
    });
    // A line that is longer than a slice takes a larger one.
    size = certain === at ? size * 2 : slice;
    at = certain;
    yield;
    if (isOver()) return { certain: at, end: at };
  }
  return log.scan(at, visit);
}

function upTo(log: Log, limit: number): ReadInto {
  return (buffer, at, length, offset) =>
    log.readAt(offset, Math.max(0, Math.min(length, limit - offset))).copy(buffer, at);
}
