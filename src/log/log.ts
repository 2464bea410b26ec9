/** What the session engine asks of the place its bytes are in. A file and the memory answer alike. */
import type { LineVisitor, ScanEnd } from "./scan-lines.js";

/**
 * What `prepare` found at the place of the log.
 *
 * - `ready`: as we left it.
 * - `grown`: there are bytes we have not taken in; scan from `certain` and `accept`.
 * - `vanished`: no file there any more; our own descriptor still reads what it held.
 * - `replaced`: another file is there now; our own descriptor still reads the old one.
 * - `shrunk`: the same file is shorter than what we had.
 */
export type LogState = "ready" | "grown" | "vanished" | "replaced" | "shrunk";

export interface Log {
  /** `undefined` in memory. */
  readonly path: string | undefined;
  readonly writable: boolean;
  /** Up to here the layout is known for sure: scans go on from here. */
  readonly certain: number;
  /** Bytes the log holds, as far as we know. */
  readonly end: number;

  /** Bytes that are there now, for estimates. */
  size(): number;

  /** Looks at the place of the log. */
  prepare(): LogState;

  /** The same before an append; a look a moment ago is good enough. */
  prepareToWrite(): LogState;

  /**
   * Appends one line (with its newline) in one write and returns the offset it has if nobody else wrote in between; the
   * next `prepare` finds out. Starts a fresh line where the log ends in a torn one (keeps I1, I6). Throws a
   * SessionError; then nothing of the line counts as written.
   */
  write(line: Uint8Array): number;

  /** Visits the lines from `from` to the end of what is there now. */
  scan(from: number, visit: LineVisitor): ScanEnd;

  /** Takes in what a scan saw. */
  accept(end: ScanEnd): void;

  /** The bytes of a stretch, valid until the next read. Shorter where the log ends before. */
  readAt(offset: number, length: number): Buffer;

  /** Waits until everything written is on the medium. */
  sync(): void;

  /** The same without holding up the event loop. Rejects with a SessionError. */
  syncInBackground(): Promise<void>;

  close(): void;
}
