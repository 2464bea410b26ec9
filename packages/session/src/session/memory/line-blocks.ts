/** Blocks of memory for the lines that sessions of this process wrote last, within one budget for all sessions. */

/** A block belongs to one owner at a time. */
export interface LineBlock {
  readonly bytes: Buffer;
  readonly owner: BlockOwner;
}

export interface BlockOwner {
  /** The block's memory now belongs to another owner: its lines are gone. */
  forget(block: LineBlock): void;
}

/** Small, so that a session that wrote a few lines does not cost a megabyte. */
const BLOCK = 1 << 16;
/**
 * Blocks are cut from slabs large enough for the allocator to return to the system when they are free; it keeps small
 * ones. Pages that were never written to take no memory.
 */
const BLOCKS_IN_SLAB = 64;
const DEFAULT_LIMIT = 32 << 20;

interface Slab {
  readonly memory: Buffer;
  /** Blocks of it in use. */
  used: number;
}

interface FreeBlock {
  readonly bytes: Buffer;
  readonly slab: Slab;
}

export class LineBlocks {
  readonly #limit: number;
  /**
   * Oldest first. The first `#gone` slots are empty, because shifting an array of a thousand for each block is slow.
   */
  #blocks: (LineBlock | undefined)[] = [];
  #gone = 0;
  #bytes = 0;
  /** Used as a stack: memory that was in use recently is cheap to get again. */
  #free: FreeBlock[] = [];
  readonly #slabOf = new Map<LineBlock, Slab>();
  #spare: Slab | undefined;

  constructor(limit: number = DEFAULT_LIMIT) {
    this.#limit = limit;
  }

  /** Bytes in use by all owners. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A block for a line of `needed` bytes. If the budget is exhausted, the oldest block is taken from its owner. */
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
    const block = size === BLOCK ? this.#cut(owner) : { bytes: Buffer.allocUnsafeSlow(size), owner };
    this.#blocks.push(block);
    this.#bytes += size;
    return block;
  }

  giveBack(block: LineBlock): void {
    const at = this.#blocks.indexOf(block, this.#gone);
    if (at < 0) return;
    this.#blocks[at] = undefined;
    this.#bytes -= block.bytes.length;
    this.#release(block);
    if (at === this.#gone) this.#gone += 1;
    if (this.#gone > this.#blocks.length / 2) {
      this.#blocks = this.#blocks.slice(this.#gone).filter((left) => left !== undefined);
      this.#gone = 0;
    }
  }

  #cut(owner: BlockOwner): LineBlock {
    if (this.#free.length === 0) this.#addSlab();
    const { bytes, slab } = this.#free.pop() as FreeBlock;
    const block = { bytes, owner };
    slab.used += 1;
    this.#slabOf.set(block, slab);
    return block;
  }

  #addSlab(): void {
    const slab: Slab = { memory: Buffer.allocUnsafeSlow(BLOCK * BLOCKS_IN_SLAB), used: 0 };
    for (let i = BLOCKS_IN_SLAB - 1; i >= 0; i--) {
      this.#free.push({ bytes: slab.memory.subarray(i * BLOCK, (i + 1) * BLOCK), slab });
    }
  }

  #release(block: LineBlock): void {
    const slab = this.#slabOf.get(block);
    if (slab === undefined) return;
    this.#slabOf.delete(block);
    slab.used -= 1;
    this.#free.push({ bytes: block.bytes, slab });
    if (slab.used > 0) return;
    // One slab is kept, so that a process that opens and closes sessions one by one does not allocate megabytes for
    // each.
    if (this.#spare === undefined || this.#spare.used > 0) this.#spare = slab;
    if (this.#spare !== slab) this.#free = this.#free.filter((free) => free.slab !== slab);
  }
}

/** The blocks of this process. */
export const lineBlocks = new LineBlocks();
