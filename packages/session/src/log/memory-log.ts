/** A log in memory: sessions that are never saved, and files that were upgraded only for reading. */
import { SessionError } from "../entry/index.js";
import type { Log, LogState } from "./log.js";
import { type LineVisitor, type ScanEnd, scanLines } from "./scan-lines.js";

const NEWLINE = 0x0a;

/** Bytes that one or several logs read and write. */
interface Held {
  /** In order, with the offset of each. */
  readonly blocks: Buffer[];
  readonly starts: number[];
  end: number;
  tailOpen: boolean;
}

/** A log that keeps its bytes in memory. Extend it to store them elsewhere too: every append goes through `write`. */
export class MemoryLog implements Log {
  readonly writable: boolean;
  #held: Held = { blocks: [], starts: [], end: 0, tailOpen: false };
  /** What this log has accepted: another log of the same bytes may have written more. */
  #certain = 0;
  #end = 0;

  constructor(options: { readonly access: "read" | "write" } = { access: "write" }) {
    this.writable = options.access === "write";
  }

  /**
   * Another log of the same bytes: what one writes, the other sees as grown. A subclass must override it, because the
   * other log would not be of that class and would keep its lines only in memory.
   */
  another(): MemoryLog {
    if (this.constructor !== MemoryLog) {
      throw new SessionError("no-new-log", `${this.constructor.name} cannot be opened a second time`, {
        hint: "Override another() in the class that extends MemoryLog.",
      });
    }
    const log = new MemoryLog({ access: this.writable ? "write" : "read" });
    log.#held = this.#held;
    return log;
  }

  get certain(): number {
    return this.#certain;
  }

  get end(): number {
    return this.#end;
  }

  size(): number {
    return this.#held.end;
  }

  prepare(): LogState {
    return this.#held.end > this.#end ? "grown" : "ready";
  }

  prepareToWrite(): LogState {
    return this.prepare();
  }

  write(lines: Uint8Array): number {
    if (!this.writable) throw new SessionError("read-only", "This session was opened read-only");
    const held = this.#held;
    // Anything after a torn line, or after bytes that were not accepted, is left to the next scan.
    const isNext = held.end === this.#end && !held.tailOpen;
    if (held.tailOpen) this.fill(Buffer.from("\n"));
    const offset = held.end;
    this.fill(Buffer.from(lines));
    if (isNext) this.#certain = this.#end = held.end;
    return offset;
  }

  /** Adds bytes verbatim, even to a log that is not writable, in order to build one. A scan accepts them. */
  fill(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const held = this.#held;
    held.blocks.push(bytes);
    held.starts.push(held.end);
    held.end += bytes.length;
    held.tailOpen = bytes[bytes.length - 1] !== NEWLINE;
  }

  scan(from: number, visit: LineVisitor): ScanEnd {
    return scanLines(
      (buffer, at, length, offset) => this.#readInto(buffer.subarray(at, at + length), offset),
      from,
      visit,
    );
  }

  accept({ certain, end }: ScanEnd): void {
    this.#certain = certain;
    this.#end = end;
  }

  readAt(offset: number, length: number): Buffer {
    const { blocks, starts, end } = this.#held;
    const block = this.#blockAt(offset);
    const bytes = blocks[block];
    if (bytes !== undefined) {
      const start = offset - (starts[block] as number);
      if (start + length <= bytes.length) return bytes.subarray(start, start + length);
    }
    const copy = Buffer.alloc(Math.max(0, Math.min(length, end - offset)));
    return copy.subarray(0, this.#readInto(copy, offset));
  }

  sync(): void {}

  async syncInBackground(): Promise<void> {}

  close(): void {}

  #readInto(target: Buffer, offset: number): number {
    const { blocks, starts } = this.#held;
    let filled = 0;
    for (let block = this.#blockAt(offset); block < blocks.length && filled < target.length; block++) {
      const bytes = blocks[block] as Buffer;
      const start = Math.max(0, offset - (starts[block] as number));
      filled += bytes.copy(target, filled, start);
    }
    return filled;
  }

  /** The last block that starts at or before `offset`. */
  #blockAt(offset: number): number {
    const { starts } = this.#held;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
