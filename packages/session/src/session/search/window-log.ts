/** A file that is in memory already, as a readable log: saves its index a second read and every copy. */
import { SessionError } from "../../entry/index.js";
import type { LineVisitor, Log, LogState, ScanEnd, ScannedLine } from "../../log/index.js";

const NEWLINE = 0x0a;

export class WindowLog implements Log {
  readonly writable = false;
  readonly #bytes: Buffer;

  /** `bytes` is the whole file. It is read in place and must not change. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get certain(): number {
    return this.#bytes.length;
  }

  get end(): number {
    return this.#bytes.length;
  }

  size(): number {
    return this.#bytes.length;
  }

  prepare(): LogState {
    return "ready";
  }

  prepareToWrite(): LogState {
    return this.prepare();
  }

  write(): number {
    throw new SessionError("read-only", "A search only reads");
  }

  scan(from: number, visit: LineVisitor): ScanEnd {
    const bytes = this.#bytes;
    const line: ScannedLine = { bytes, start: 0, end: 0, offset: 0, length: 0, last: 0, terminated: true };
    let start = from;
    while (start < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, start);
      line.terminated = newline >= 0;
      line.start = start;
      line.end = newline < 0 ? bytes.length : newline;
      line.offset = start;
      line.length = line.end - start;
      line.last = lastByte(bytes, start, line.end);
      visit(line);
      if (newline < 0) break;
      start = newline + 1;
    }
    return { certain: start, end: bytes.length };
  }

  accept(): void {}

  readAt(offset: number, length: number): Buffer {
    return this.#bytes.subarray(offset, offset + length);
  }

  sync(): void {}

  async syncInBackground(): Promise<void> {}

  close(): void {}
}

/** The last byte that is not JSON white space, or -1. */
function lastByte(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at--;
  return at >= start ? (bytes[at] as number) : -1;
}
