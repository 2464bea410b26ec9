/** What the session engine asks of whatever keeps a session's bytes: a file, the memory, or your own log. */
import type { LineVisitor, ScanEnd } from "./scan-lines.js";

/**
 * What `prepare` found.
 *
 * - `ready`: the log is as this object knows it.
 * - `grown`: there are bytes it has not taken in; scan from `certain`, then `accept`.
 *
 * The other three are for files only, because only a file can be put back. Any other log throws if its bytes are gone.
 *
 * - `vanished`: no file there any more; our own descriptor still reads what it held.
 * - `replaced`: another file is there now; our own descriptor still reads the old one.
 * - `shrunk`: the same file is shorter than what we had.
 */
export type LogState = "ready" | "grown" | "vanished" | "replaced" | "shrunk";

/**
 * One session's bytes: lines that are appended and never changed. Offsets count bytes from the start of the log.
 *
 * Everything but `syncInBackground` is synchronous. Several logs may be open on the same bytes, in one process or many;
 * each knows how much of them it has taken in. `checkLog` tests an implementation against these rules.
 */
export interface Log {
  readonly writable: boolean;
  /** Offset after the last line that was taken in with its newline. Scans continue from here. */
  readonly certain: number;
  /** Offset after the last byte that was taken in. Larger than `certain` if the last line has no newline. */
  readonly end: number;

  /** How many bytes there are now, taken in or not. */
  size(): number;

  /** Looks whether there are bytes that were not taken in. */
  prepare(): LogState;

  /** The same before an append; the answer may be a moment old. */
  prepareToWrite(): LogState;

  /**
   * Appends complete lines (one, or the header and the first entry) in one write and returns the offset of the first,
   * provided that nothing else was appended in between. The bytes belong to the caller, who may change them afterwards.
   *
   * If the log ends in a line without a newline, that line stays as it is and gets one first; then, and if others wrote
   * what was not taken in yet, the next `prepare` answers `grown`. Throws a SessionError if it fails: `read-only` if
   * the log is not writable, `write-failed` otherwise. What failed may be written again.
   */
  write(lines: Uint8Array): number;

  /** Visits the lines from `from`, the start of a line, to the end of what is there now. `scanLines` does the work. */
  scan(from: number, visit: LineVisitor): ScanEnd;

  /** Takes in what a scan saw: `certain` and `end` are those of the scan. */
  accept(end: ScanEnd): void;

  /** The bytes at an offset, taken in or not; valid until the next read. Shorter or empty if the log ends before. */
  readAt(offset: number, length: number): Buffer;

  /** Returns when everything written is stored safely. */
  sync(): void;

  /** The same without blocking the event loop. Rejects with a SessionError. */
  syncInBackground(): Promise<void>;

  /** Frees what the log holds open. Closing twice does nothing. */
  close(): void;
}
