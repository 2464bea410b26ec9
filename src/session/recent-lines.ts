/**
 * The lines this process wrote, as bytes, up to a budget: if the file is cut short by somebody else, they are written
 * again (keeps I7).
 *
 * Lines are encoded straight into large blocks, from which they are also written to the file. So keeping them costs an
 * append nothing: no buffer of its own, nothing for the collector. Who needs one line again looks through the blocks.
 */
import { entryIn } from "./entry-reader.js";

interface Block {
  readonly bytes: Buffer;
  used: number;
}

const NEWLINE = 0x0a;
const BLOCK = 1 << 20;
/** A UTF-16 unit takes at most three bytes. */
const MOST_BYTES = 3;

export class RecentLines {
  readonly #budget: number;
  readonly #blocks: Block[] = [];
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** The bytes of a line, kept and ended with a newline. */
  keep(line: string): Buffer {
    const block = this.#blockFor(line);
    const start = block.used;
    block.used += block.bytes.write(line, start, "utf8");
    block.bytes[block.used] = NEWLINE;
    block.used += 1;
    this.#bytes += block.used - start;
    return block.bytes.subarray(start, block.used);
  }

  /** The line of an entry, with its newline, if it is kept. */
  find(id: string): Buffer | undefined {
    const needle = `"id":${JSON.stringify(id)},"parentId":`;
    for (const { bytes, used } of this.#blocks) {
      for (let at = bytes.indexOf(needle); at >= 0 && at < used; at = bytes.indexOf(needle, at + 1)) {
        const start = bytes.lastIndexOf(NEWLINE, at) + 1;
        const line = bytes.subarray(start, bytes.indexOf(NEWLINE, at) + 1);
        if (entryIn(line, id) !== undefined) return line;
      }
    }
    return undefined;
  }

  #blockFor(line: string): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used + line.length * MOST_BYTES < last.bytes.length) return last;
    // Measured only here, where it matters: a long line must not take three times its size.
    const needed = Buffer.byteLength(line) + 1;
    if (last !== undefined && last.used + needed <= last.bytes.length) return last;
    const block = { bytes: Buffer.allocUnsafe(Math.max(BLOCK, needed)), used: 0 };
    this.#blocks.push(block);
    while (this.#bytes > this.#budget && this.#blocks.length > 1) this.#bytes -= (this.#blocks.shift() as Block).used;
    return block;
  }
}
