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
/**
 * Blocks are cut from stretches of memory that are large enough for the system to undo when they are free: the
 * allocator keeps small ones. What was never written to takes no memory.
 */
const BLOCKS_IN_SLAB = 64;
const DEFAULT_LIMIT = 32 << 20;

interface Slab {
  readonly memory: Buffer;
  /** Blocks of it that are in use. */
  used: number;
}

interface FreeBlock {
  readonly bytes: Buffer;
  readonly slab: Slab;
}

export class LineBlocks {
  readonly #limit: number;
  /** Oldest first. The first `#gone` places are empty: shifting an array of a thousand for each block is slow. */
  #blocks: (LineBlock | undefined)[] = [];
  #gone = 0;
  #bytes = 0;
  /** The one that was given back last comes last: memory in use costs no time to get. */
  #free: FreeBlock[] = [];
  readonly #slabOf = new Map<LineBlock, Slab>();
  #spare: Slab | undefined;

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
    // One is kept: a process that opens and closes sessions one by one must not get megabytes for each of them.
    if (this.#spare === undefined || this.#spare.used > 0) this.#spare = slab;
    if (this.#spare !== slab) this.#free = this.#free.filter((free) => free.slab !== slab);
  }
}

/** The blocks of this process. */
export const lineBlocks = new LineBlocks();
