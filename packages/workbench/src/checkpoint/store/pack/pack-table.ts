/** The contents of one pack by hash, in about 70 bytes each. */
import { HASH_BYTES } from "./pack-record.js";

const OFFSET_AT = HASH_BYTES;
const LENGTH_AT = OFFSET_AT + 6;
const SEEN_AT = LENGTH_AT + 4;
const PLACE_AT = SEEN_AT + 4;
const ROW_BYTES = PLACE_AT + 6;

export interface PackRow {
  /** Offset of the record in the pack. */
  readonly offset: number;
  readonly length: number;
  /** When the content was last used, in seconds. */
  readonly seen: number;
  /** Offset of that time in the index; 0 if the content is not indexed. */
  readonly seenAt: number;
}

export class PackTable {
  #rows = Buffer.alloc(64 * ROW_BYTES);
  /** A hash table of row numbers plus one; 0 is a free slot. */
  #slots = new Int32Array(128);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The number of a row, or -1. */
  find(hash: Uint8Array): number {
    return (this.#slots[this.#slotOf(hash)] as number) - 1;
  }

  hash(n: number): Buffer {
    return this.#rows.subarray(n * ROW_BYTES, n * ROW_BYTES + HASH_BYTES);
  }

  row(n: number): PackRow {
    const at = n * ROW_BYTES;
    return {
      offset: this.#rows.readUIntLE(at + OFFSET_AT, 6),
      length: this.#rows.readUInt32LE(at + LENGTH_AT),
      seen: this.#rows.readUInt32LE(at + SEEN_AT),
      seenAt: this.#rows.readUIntLE(at + PLACE_AT, 6),
    };
  }

  /** Returns the row number. An existing content is replaced, because the later record counts. */
  set(hash: Uint8Array, { offset, length, seen, seenAt }: PackRow): number {
    let n = this.find(hash);
    if (n < 0) {
      if ((this.#count + 1) * ROW_BYTES > this.#rows.length || this.#count * 3 > this.#slots.length * 2) this.#grow();
      n = this.#count++;
      this.#rows.set(hash, n * ROW_BYTES);
      this.#slots[this.#slotOf(hash)] = n + 1;
    }
    const at = n * ROW_BYTES;
    this.#rows.writeUIntLE(offset, at + OFFSET_AT, 6);
    this.#rows.writeUInt32LE(length, at + LENGTH_AT);
    this.#rows.writeUInt32LE(seen, at + SEEN_AT);
    this.#rows.writeUIntLE(seenAt, at + PLACE_AT, 6);
    return n;
  }

  setSeen(n: number, { seen, seenAt }: Pick<PackRow, "seen" | "seenAt">): void {
    this.#rows.writeUInt32LE(seen, n * ROW_BYTES + SEEN_AT);
    this.#rows.writeUIntLE(seenAt, n * ROW_BYTES + PLACE_AT, 6);
  }

  /** The slot of a hash, or the free slot for it. Needs no hash function, because hashes are evenly distributed. */
  #slotOf(hash: Uint8Array): number {
    const start =
      ((hash[0] as number) << 24) | ((hash[1] as number) << 16) | ((hash[2] as number) << 8) | (hash[3] as number);
    for (let slot = start & (this.#slots.length - 1); ; slot = (slot + 1) & (this.#slots.length - 1)) {
      const n = (this.#slots[slot] as number) - 1;
      if (n < 0 || this.#rows.compare(hash, 0, HASH_BYTES, n * ROW_BYTES, n * ROW_BYTES + HASH_BYTES) === 0)
        return slot;
    }
  }

  #grow(): void {
    const rows = Buffer.alloc(Math.ceil((this.#count + 64) * 1.2) * ROW_BYTES);
    this.#rows.copy(rows, 0, 0, this.#count * ROW_BYTES);
    this.#rows = rows;
    if (this.#count * 3 <= this.#slots.length) return;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let n = 0; n < this.#count; n++) this.#slots[this.#slotOf(this.hash(n))] = n + 1;
  }
}
