/** Scans a log slice by slice, so that other work can run in between. */
import { type LineVisitor, type Log, type ReadInto, type ScanEnd, scanLines } from "../../log/index.js";
import type { Steps } from "../../text/index.js";

interface ScanStepsOptions {
  /** Bytes to read at a time. */
  readonly slice?: number | undefined;
  /** Called between slices: once it returns true, the rest of the log is not read. */
  readonly isOver?: () => boolean;
}

const SLICE = 1 << 20;

/** Visits the same lines as `log.scan` and returns the same end, unless `isOver` stops it earlier. */
export function* scanSteps(
  log: Log,
  from: number,
  visit: LineVisitor,
  { slice = SLICE, isOver = () => false }: ScanStepsOptions = {},
): Steps<ScanEnd> {
  let at = from;
  for (let size = slice; at + size < log.size(); ) {
    const { certain } = scanLines(upTo(log, at + size), at, (line) => {
      // A line cut by the limit is read again with the next slice.
      if (line.terminated) visit(line);
    });
    // A line longer than a slice needs a larger one.
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
