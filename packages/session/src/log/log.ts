/** What the session engine needs of the storage of a session's bytes: a file, memory, or your own log. */
import type { LineVisitor, ScanEnd } from "./scan-lines.js";

/**
 * What `prepare` found.
 *
 * - `ready`: the log is as this object knows it.
 * - `grown`: there are bytes that were not accepted yet; scan from `certain`, then `accept`.
 *
 * The other three are for files only, because only a file can be restored. Any other log throws if its bytes are gone.
 *
 * - `vanished`: the file no longer exists; our own descriptor still reads its content.
 * - `replaced`: another file is there now; our own descriptor still reads the old one.
 * - `shrunk`: the same file is shorter than before.
 */
export type LogState = "ready" | "grown" | "vanished" | "replaced" | "shrunk";

/**
 * One session's bytes: lines that are appended and never changed. Offsets count bytes from the start of the log.
 *
 * Everything except `syncInBackground` is synchronous. Several logs may be open on the same bytes, in one process or
 * many; each knows how much of them it has accepted. `checkLog` tests an implementation against these rules.
 */
export interface Log {
  readonly writable: boolean;
  /** Offset after the last accepted line that has its newline. Scans continue from here. */
  readonly certain: number;
  /** Offset after the last accepted byte. Larger than `certain` if the last line has no newline. */
  readonly end: number;

  /** The current number of bytes, accepted or not. */
  size(): number;

  /** Checks for bytes that were not accepted yet. */
  prepare(): LogState;

  /** Like `prepare`, before an append; the answer may be slightly out of date. */
  prepareToWrite(): LogState;

  /**
   * Appends complete lines (one, or the header and the first entry) in one write and returns the offset of the first,
   * provided that nothing else was appended in between. The bytes belong to the caller, who may change them afterwards.
   *
   * If the log ends in a line without a newline, that line is kept and gets a newline first; then, and if others wrote
   * bytes that were not accepted yet, the next `prepare` returns `grown`. Throws a SessionError on failure: `read-only`
   * if the log is not writable, `write-failed` otherwise. A failed write may be repeated.
   */
  write(lines: Uint8Array): number;

  /**
   * Visits the lines from `from`, which must be the start of a line, to the current end. Implement it with `scanLines`.
   */
  scan(from: number, visit: LineVisitor): ScanEnd;

  /** Accepts what a scan saw: `certain` and `end` become those of the scan. */
  accept(end: ScanEnd): void;

  /** The bytes at an offset, accepted or not; valid until the next read. Shorter or empty if the log ends before. */
  readAt(offset: number, length: number): Buffer;

  /** Returns when everything written is stored safely. */
  sync(): void;

  /** Like `sync`, without blocking the event loop. Rejects with a SessionError. */
  syncInBackground(): Promise<void>;

  /** Releases everything the log holds open. Closing twice does nothing. */
  close(): void;
}
