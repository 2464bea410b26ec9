/**
 * The lines this process wrote, as bytes, up to a budget: if the file is cut short by somebody else, they are written
 * again (keeps I7).
 *
 * Lines are encoded straight into large blocks, from which they are also written to the file. So keeping them costs an
 * append nothing: no buffer of its own, nothing for the collector. Whoever needs a line again has the blocks indexed,
 * once: after a file was cut short they are all needed.
 */
import { recordIn } from "./line-text.js";

interface Block {
  readonly bytes: Buffer;
  used: number;
  /** Lines by id, as far as somebody asked. */
  readonly lines: Map<string, Buffer>;
  indexed: number;
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

  /** The bytes of a line, kept and ended with a newline. Valid while they are kept. */
  keep(line: string): Buffer {
    const block = this.#blockFor(line);
    const start = block.used;
    block.used += block.bytes.write(line, start, "utf8");
    block.bytes[block.used] = NEWLINE;
    block.used += 1;
    this.#bytes += block.used - start;
    return block.bytes.subarray(start, block.used);
  }

  /** The line of an entry as it was kept last, with its newline, if it is still here. */
  find(id: string): Buffer | undefined {
    for (let i = this.#blocks.length - 1; i >= 0; i--) {
      const line = indexed(this.#blocks[i] as Block).lines.get(id);
      if (line !== undefined) return line;
    }
    return undefined;
  }

  #blockFor(line: string): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.used + line.length * MOST_BYTES < last.bytes.length) return last;
    // Measured only here, where it matters: a long line must not take three times its size.
    const needed = Buffer.byteLength(line) + 1;
    if (last !== undefined && last.used + needed <= last.bytes.length) return last;
    const bytes = this.#freeBytes(Math.max(BLOCK, needed));
    const block: Block = { bytes, used: 0, lines: new Map(), indexed: 0 };
    this.#blocks.push(block);
    return block;
  }

  /** Memory for a block: the oldest one's, once the budget is spent, because memory in use costs no time to get. */
  #freeBytes(size: number): Buffer {
    let free: Buffer | undefined;
    while (this.#bytes > this.#budget && this.#blocks.length > 1) {
      const oldest = this.#blocks.shift() as Block;
      this.#bytes -= oldest.used;
      free = oldest.bytes;
    }
    return free?.length === size ? free : Buffer.allocUnsafe(size);
  }
}

function indexed(block: Block): Block {
  while (block.indexed < block.used) {
    const line = block.bytes.subarray(block.indexed, block.bytes.indexOf(NEWLINE, block.indexed) + 1);
    const record = recordIn(line);
    if (record.kind === "entry") block.lines.set(record.entry.id, line);
    block.indexed += line.length;
  }
  return block;
}
