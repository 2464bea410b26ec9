/**
 * The lines this process wrote, as bytes, up to a budget: if another program truncates the file, they are written again
 * (keeps I7).
 *
 * Lines are encoded straight into blocks and written to the file from there, so keeping them costs an append nothing:
 * no buffer of its own, nothing to collect. The blocks are indexed only when a line is needed again, because after a
 * truncation all of them are needed.
 */
import { recordIn } from "../scan/line-text.js";
import { type BlockOwner, type LineBlock, type LineBlocks, lineBlocks } from "./line-blocks.js";

interface FilledBlock {
  readonly block: LineBlock;
  used: number;
  /** The end of the indexed lines. */
  indexed: number;
  isGone: boolean;
}

const NEWLINE = 0x0a;
/** A character takes at most four bytes: if more than that is free after a line, all of it was written. */
const MOST_BYTES = 4;

export class RecentLines implements BlockOwner {
  readonly #budget: number;
  readonly #pool: LineBlocks;
  #blocks: FilledBlock[] = [];
  #bytes = 0;
  /** Lines by id, filled on demand. */
  readonly #lines = new Map<string, { readonly filled: FilledBlock; readonly line: Buffer }>();

  /** Holds about `budget` bytes at most, or less if the sessions of this process need more than the pool has. */
  constructor(budget: number, pool: LineBlocks = lineBlocks) {
    this.#budget = budget;
    this.#pool = pool;
  }

  /** The bytes of a line, kept and ended with a newline. Valid until any session keeps the next line. */
  keep(line: string): Buffer {
    const last = this.#blocks.at(-1);
    return (last === undefined ? undefined : put(line, last)) ?? (put(line, this.#newBlock(line)) as Buffer);
  }

  /** The line of an entry as last kept, with its newline, if it is still held. */
  find(id: string): Buffer | undefined {
    for (const filled of this.#blocks) this.#indexBlock(filled);
    const found = this.#lines.get(id);
    return found === undefined || found.filled.isGone ? undefined : found.line;
  }

  forget(block: LineBlock): void {
    for (const filled of this.#blocks) if (filled.block === block) filled.isGone = true;
    this.#blocks = this.#blocks.filter(({ isGone }) => !isGone);
    this.#bytes -= block.bytes.length;
  }

  clear(): void {
    for (const { block } of this.#blocks) this.#pool.giveBack(block);
    this.#blocks = [];
    this.#lines.clear();
    this.#bytes = 0;
  }

  #newBlock(line: string): FilledBlock {
    while (this.#bytes > this.#budget && this.#blocks.length > 1) this.#dropOldest();
    const block = this.#pool.take(Buffer.byteLength(line) + MOST_BYTES + 1, this);
    this.#bytes += block.bytes.length;
    const filled: FilledBlock = { block, used: 0, indexed: 0, isGone: false };
    this.#blocks.push(filled);
    return filled;
  }

  #dropOldest(): void {
    const oldest = this.#blocks.shift() as FilledBlock;
    oldest.isGone = true;
    this.#bytes -= oldest.block.bytes.length;
    this.#pool.giveBack(oldest.block);
  }

  #indexBlock(filled: FilledBlock): void {
    const { bytes } = filled.block;
    while (filled.indexed < filled.used) {
      const line = bytes.subarray(filled.indexed, bytes.indexOf(NEWLINE, filled.indexed) + 1);
      const record = recordIn(line);
      if (record.kind === "entry") this.#lines.set(record.entry.id, { filled, line });
      filled.indexed += line.length;
    }
  }
}

/**
 * Writes a line and its newline into the free part of a block; undefined if it may not fit. The line is not measured
 * first, because measuring costs as much as writing and almost every line fits.
 */
function put(line: string, filled: FilledBlock): Buffer | undefined {
  const { bytes } = filled.block;
  const start = filled.used;
  const room = bytes.length - start;
  if (line.length + MOST_BYTES >= room) return undefined;
  const end = start + bytes.write(line, start, "utf8");
  if (end + MOST_BYTES >= bytes.length) return undefined;
  bytes[end] = NEWLINE;
  filled.used = end + 1;
  return bytes.subarray(start, end + 1);
}
