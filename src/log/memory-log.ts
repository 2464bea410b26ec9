/** A log in memory: sessions that are never saved, and files that were upgraded for reading only. */
import { SessionError } from "../entry/index.js";
import type { Log, LogState } from "./log.js";
import { type LineVisitor, type ScanEnd, scanLines } from "./scan-lines.js";

export class MemoryLog implements Log {
  readonly path = undefined;
  readonly writable: boolean;
  /** Blocks of the log in order, and where each starts. */
  readonly #blocks: Buffer[] = [];
  readonly #starts: number[] = [];
  #end = 0;
  #tailOpen = false;

  constructor(options: { readonly access: "read" | "write" } = { access: "write" }) {
    this.writable = options.access === "write";
  }

  get certain(): number {
    return this.#end;
  }

  get end(): number {
    return this.#end;
  }

  size(): number {
    return this.#end;
  }

  prepare(): LogState {
    return "ready";
  }

  prepareToWrite(): LogState {
    return "ready";
  }

  write(line: Uint8Array): number {
    if (!this.writable) throw new SessionError("read-only", "This session was opened read-only");
    if (this.#tailOpen) this.fill(Buffer.from("\n"));
    const offset = this.#end;
    this.fill(Buffer.from(line));
    return offset;
  }

  /** Adds bytes as they are: for whoever builds a log to be read. */
  fill(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#blocks.push(bytes);
    this.#starts.push(this.#end);
    this.#end += bytes.length;
    this.#tailOpen = bytes[bytes.length - 1] !== 0x0a;
  }

  scan(from: number, visit: LineVisitor): ScanEnd {
    return scanLines(
      (buffer, at, length, offset) => this.#readInto(buffer.subarray(at, at + length), offset),
      from,
      visit,
    );
  }

  accept(): void {}

  readAt(offset: number, length: number): Buffer {
    const block = this.#blockAt(offset);
    const bytes = this.#blocks[block];
    if (bytes !== undefined) {
      const start = offset - (this.#starts[block] as number);
      if (start + length <= bytes.length) return bytes.subarray(start, start + length);
    }
    const copy = Buffer.alloc(Math.max(0, Math.min(length, this.#end - offset)));
    return copy.subarray(0, this.#readInto(copy, offset));
  }

  sync(): void {}

  async syncInBackground(): Promise<void> {}

  close(): void {}

  #readInto(target: Buffer, offset: number): number {
    let filled = 0;
    for (let block = this.#blockAt(offset); block < this.#blocks.length && filled < target.length; block++) {
      const bytes = this.#blocks[block] as Buffer;
      const start = Math.max(0, offset - (this.#starts[block] as number));
      filled += bytes.copy(target, filled, start);
    }
    return filled;
  }

  /** The last block that starts at or before `offset`. */
  #blockAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
