/**
 * A stretch of a file held in memory, so that lines read in file order cost one read per window and not one each.
 *
 * A process with hundreds of open sessions has a few windows, not hundreds: the next user takes the turn of
 * the one that got its memory first. Bytes that were handed out from that one stay valid; its memory is not used again.
 */
const WINDOW = 1 << 17;
const MOST_WINDOWS = 16;

/** Those that have memory, in the order in which they got it. */
const filled: ReadWindow[] = [];

/** Reads into all of `bytes` from `offset` on; returns how many there were. */
type ReadFully = (bytes: Buffer, offset: number) => number;

export class ReadWindow {
  #bytes: Buffer | undefined;
  #offset = 0;
  #length = 0;

  /** The bytes of a stretch, valid until the next call. Shorter where the file ends before. */
  read(offset: number, length: number, readFully: ReadFully): Buffer {
    const inside = offset - this.#offset;
    if (this.#bytes !== undefined && inside >= 0 && inside + length <= this.#length) {
      return this.#bytes.subarray(inside, inside + length);
    }
    if (length > WINDOW) {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readFully(bytes, offset));
    }
    // Who reads from the end to the start has just read what comes after: then the window ends with this stretch.
    const backwards = this.#length > 0 && inside < 0 && inside > -WINDOW;
    const start = backwards ? Math.max(0, offset + length - WINDOW) : offset;
    const bytes = this.#bytes ?? this.#allocate();
    this.#offset = start;
    this.#length = readFully(bytes, start);
    return bytes.subarray(offset - start, Math.min(offset - start + length, this.#length));
  }

  /** What was read holds no longer: the file has changed. */
  forget(): void {
    this.#length = 0;
  }

  /** Lets go of the memory until the next read. */
  release(): void {
    const at = filled.indexOf(this);
    if (at >= 0) filled.splice(at, 1);
    this.#bytes = undefined;
    this.#length = 0;
  }

  #allocate(): Buffer {
    if (filled.length === MOST_WINDOWS) filled[0]?.release();
    filled.push(this);
    this.#bytes = Buffer.allocUnsafeSlow(WINDOW);
    return this.#bytes;
  }
}
