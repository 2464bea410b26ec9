/** Blocks of memory for the lines that sessions of this process wrote last, within one budget for all of them. */

/** A block belongs to one owner at a time. */
export interface LineBlock {
  readonly bytes: Buffer;
  readonly owner: BlockOwner;
}

export interface BlockOwner {
  /** The memory of the block is given to another: its lines are gone. */
  forget(block: LineBlock): void;
}

/** Small, so that a session that wrote a few lines does not cost a megabyte. */
const BLOCK = 1 << 16;
const DEFAULT_LIMIT = 32 << 20;

export class LineBlocks {
  readonly #limit: number;
  /** Oldest first. The first `#gone` places are empty: shifting an array of a thousand for each block is slow. */
  #blocks: (LineBlock | undefined)[] = [];
  #gone = 0;
  #bytes = 0;
  /** The memory that was given back last: memory in use costs no time to get. */
  #spare: Buffer | undefined;

  constructor(limit: number = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** Bytes in use, of all owners. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A block for a line of `needed` bytes. When the budget is used up the oldest one is taken from its owner. */
  take(needed: number, owner: BlockOwner): LineBlock {
    const size = Math.max(BLOCK, needed);
    while (this.#bytes + size > this.#limit && this.#gone < this.#blocks.length) {
      const oldest = this.#blocks[this.#gone];
      if (oldest === undefined) {
        this.#gone += 1;
        continue;
      }
      this.giveBack(oldest);
      oldest.owner.forget(oldest);
    }
    const bytes = this.#spare?.length === size ? this.#spare : Buffer.allocUnsafeSlow(size);
    this.#spare = undefined;
    const block = { bytes, owner };
    this.#blocks.push(block);
    this.#bytes += size;
    return block;
  }

  giveBack(block: LineBlock): void {
    const at = this.#blocks.indexOf(block, this.#gone);
    if (at < 0) return;
    this.#blocks[at] = undefined;
    this.#bytes -= block.bytes.length;
    if (block.bytes.length === BLOCK) this.#spare = block.bytes;
    if (at === this.#gone) this.#gone += 1;
    if (this.#gone > this.#blocks.length / 2) {
      this.#blocks = this.#blocks.slice(this.#gone).filter((left) => left !== undefined);
      this.#gone = 0;
    }
  }
}

/** The blocks of this process. */
export const lineBlocks = new LineBlocks();
