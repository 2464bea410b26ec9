/**
 * A part of a file held in memory, so that lines read in file order cost one read per window instead of one each.
 *
 * A process with hundreds of open sessions has only a few windows: when all are in use, the next user replaces the one
 * that got its memory first. Bytes handed out from that window stay valid; its memory is not reused.
 */
const WINDOW = 1 << 17;
const MOST_WINDOWS = 16;

/** The windows that have memory, in the order in which they got it. */
const filled: ReadWindow[] = [];

/** Fills `bytes` from `offset` on; returns the number of bytes read. */
type ReadFully = (bytes: Buffer, offset: number) => number;

export class ReadWindow {
  #bytes: Buffer | undefined;
  #offset = 0;
  #length = 0;

  /** The bytes of a range, valid until the next call. Shorter if the file ends before. */
  read(offset: number, length: number, readFully: ReadFully): Buffer {
    const inside = offset - this.#offset;
    if (this.#bytes !== undefined && inside >= 0 && inside + length <= this.#length) {
      return this.#bytes.subarray(inside, inside + length);
    }
    if (length > WINDOW) {
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readFully(bytes, offset));
    }
    // When reading from the end to the start, the bytes after this range were just read, so the window ends with it.
    const backwards = this.#length > 0 && inside < 0 && inside > -WINDOW;
    const start = backwards ? Math.max(0, offset + length - WINDOW) : offset;
    const bytes = this.#bytes ?? this.#allocate();
    this.#offset = start;
    this.#length = readFully(bytes, start);
    return bytes.subarray(offset - start, Math.min(offset - start + length, this.#length));
  }

  /** Invalidates what was read, because the file has changed. */
  forget(): void {
    this.#length = 0;
  }

  /** Releases the memory until the next read. */
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
