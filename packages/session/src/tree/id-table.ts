/**
 * IDs of entries, stored as bytes in one block and found through a hash table of numbers: no string and no object per
 * entry (keeps I8).
 */
export class IdTable {
  #arena = new Uint8Array(1024);
  /** The same memory, for reading and writing four bytes at a time. */
  #words = new DataView(this.#arena.buffer);
  /** Entry n's ID is `arena[starts[n] .. starts[n + 1]]`. */
  #starts = new Uint32Array(64);
  #hashes = new Int32Array(64);
  /** Open addressing: entry number + 1, or 0 if free. The size is a power of two, at most half full. */
  #slots = new Int32Array(128);
  #filled = 0;
  #count = 0;
  #scratch = new Uint8Array(64);
  #scratchWords = new DataView(this.#scratch.buffer);
  /** The last encoded text: an append looks up its own ID and its parent's several times. */
  #text: string | undefined;
  #textLength = 0;
  #textHash = 0;
  /** The last plain ASCII ID found or added, and its number; numbers never change. */
  #knownText: string | undefined;
  #known = -1;

  get count(): number {
    return this.#count;
  }

  /**
   * Reserves room for about `count` entries with IDs of about `idLength` bytes, so that loading does not grow step by
   * step.
   */
  reserve(count: number, idLength: number): void {
    this.#growColumns(count + 1);
    this.#growArena(count * idLength);
  }

  /** Adds the next entry without checking for duplicates. Nothing can be found until `indexAll` has run. */
  load(view: DataView, start: number, end: number): void {
    const n = this.#count;
    const length = end - start;
    const from = this.#starts[n] as number;
    if (from + length > this.#arena.length) this.#growArena(from + length);
    if (n + 2 > this.#starts.length) this.#growColumns(n + 2);
    const words = length & ~3;
    let value = HASH_START;
    // Copies and hashes in one pass, by the same steps as `hash`.
    for (let i = 0; i < words; i += 4) {
      const word = view.getInt32(start + i, true);
      this.#words.setInt32(from + i, word, true);
      value = Math.imul(value ^ word, FIRST_FACTOR);
      value = Math.imul(value ^ (value >>> 15), SECOND_FACTOR);
    }
    for (let i = words; i < length; i++) {
      const byte = view.getUint8(start + i);
      this.#arena[from + i] = byte;
      value = Math.imul(value ^ byte, FIRST_FACTOR);
    }
    this.#starts[n + 1] = from + length;
    this.#hashes[n] = value;
    this.#count = n + 1;
  }

  /** Whether the entry added last has exactly these ID bytes. */
  lastIs(view: DataView, start: number, end: number): boolean {
    return this.#count > 0 && this.is(this.#count - 1, view, start, end);
  }

  /**
   * Indexes everything loaded in one tight pass: filling the table while scanning would wait for memory once per line.
   * Returns false if two entries have the same ID; the table is unusable then.
   */
  indexAll(): boolean {
    let size = this.#slots.length;
    while (size < this.#count * 2) size *= 2;
    const slots = new Int32Array(size);
    const hashes = this.#hashes;
    const mask = size - 1;
    for (let n = 0; n < this.#count; n++) {
      if (n % AHEAD === 0) prefetch(slots, hashes, n, Math.min(n + AHEAD, this.#count));
      const key = hashes[n] as number;
      let slot = spread(key) & mask;
      for (let other = slots[slot] as number; other !== 0; other = slots[slot] as number) {
        if (hashes[other - 1] === key && this.#same(other - 1, n)) return false;
        slot = (slot + 1) & mask;
      }
      slots[slot] = n + 1;
    }
    this.#slots = slots;
    this.#filled = this.#count;
    return true;
  }

  /** Number of the entry with these ID bytes, or -1. */
  find(view: DataView, start: number, end: number): number {
    return this.#findHashed(view, start, end, hash(view, start, end));
  }

  findText(id: string): number {
    if (id === this.#knownText) return this.#known;
    const length = this.#encode(id);
    const n = this.#findHashed(this.#scratchWords, 0, length, this.#textHash);
    if (n >= 0) this.#cache(id, n);
    return n;
  }

  /** Whether entry n has exactly these ID bytes. */
  is(n: number, view: DataView, start: number, end: number): boolean {
    const from = this.#starts[n] as number;
    const length = end - start;
    if ((this.#starts[n + 1] as number) - from !== length) return false;
    const own = this.#words;
    const words = length & ~3;
    for (let i = 0; i < words; i += 4) {
      if (view.getInt32(start + i, true) !== own.getInt32(from + i, true)) return false;
    }
    for (let i = words; i < length; i++) if (view.getUint8(start + i) !== this.#arena[from + i]) return false;
    return true;
  }

  /** Whether entry n has exactly this ID. */
  isText(n: number, id: string): boolean {
    if (n === this.#known && id === this.#knownText) return true;
    const length = this.#encode(id);
    return this.is(n, this.#scratchWords, 0, length);
  }

  /**
   * Adds the next entry and returns -1. If an earlier entry has the same ID, adds nothing and returns that entry's
   * number.
   */
  add(view: DataView, start: number, end: number): number {
    return this.#add(view, start, end, hash(view, start, end));
  }

  #add(view: DataView, start: number, end: number, key: number): number {
    const earlier = this.#findHashed(view, start, end, key);
    if (earlier >= 0) return earlier;
    const n = this.#store(view, start, end, key);
    if ((this.#filled + 1) * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);
    this.#place(n);
    return -1;
  }

  addText(id: string): number {
    const length = this.#encode(id);
    const earlier = this.#add(this.#scratchWords, 0, length, this.#textHash);
    if (earlier < 0) this.#cache(id, this.#count - 1);
    return earlier;
  }

  /** Adds an entry whose ID is taken: `textOf` knows it, but `find` still returns the earlier one. */
  addTextAgain(id: string): void {
    const length = this.#encode(id);
    this.#store(this.#scratchWords, 0, length, this.#textHash);
  }

  textOf(n: number): string {
    if (n === this.#known) return this.#knownText as string;
    const bytes = this.#arena.subarray(this.#starts[n], this.#starts[n + 1]);
    let seen = 0;
    for (let i = 0; i < bytes.length; i++) seen |= bytes[i] as number;
    // One call for the whole ID: adding letter by letter would make a string for each.
    if (seen < 0x80 && bytes.length <= MOST_LETTERS)
      return String.fromCharCode.apply(null, bytes as unknown as number[]);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** Numbers of the entries whose ID starts with `prefix`, at most `limit`. */
  withPrefix(prefix: string, limit: number): number[] {
    const length = this.#encode(prefix);
    const found: number[] = [];
    for (let n = 0; n < this.#count && found.length < limit; n++) {
      const from = this.#starts[n] as number;
      if ((this.#starts[n + 1] as number) - from < length) continue;
      let i = 0;
      while (i < length && this.#arena[from + i] === this.#scratch[i]) i++;
      if (i === length) found.push(n);
    }
    return found;
  }

  /** The largest distance of any ID from its home slot: a lookup takes at most one step more. */
  get longestWay(): number {
    const mask = this.#slots.length - 1;
    let longest = 0;
    for (let slot = 0; slot <= mask; slot++) {
      const n = (this.#slots[slot] as number) - 1;
      if (n >= 0) longest = Math.max(longest, (slot - spread(this.#hashes[n] as number)) & mask);
    }
    return longest;
  }

  #store(view: DataView, start: number, end: number, key: number): number {
    const n = this.#count;
    const length = end - start;
    const from = this.#starts[n] as number;
    if (from + length > this.#arena.length) this.#growArena(from + length);
    if (n + 2 > this.#starts.length) this.#growColumns(n + 2);
    const own = this.#words;
    const words = length & ~3;
    for (let i = 0; i < words; i += 4) own.setInt32(from + i, view.getInt32(start + i, true), true);
    for (let i = words; i < length; i++) own.setUint8(from + i, view.getUint8(start + i));
    this.#starts[n + 1] = from + length;
    this.#hashes[n] = key;
    this.#count = n + 1;
    return n;
  }

  #findHashed(view: DataView, start: number, end: number, key: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = spread(key) & mask; ; slot = (slot + 1) & mask) {
      const n = (this.#slots[slot] as number) - 1;
      if (n < 0) return -1;
      if (this.#hashes[n] === key && this.is(n, view, start, end)) return n;
    }
  }

  #same(a: number, b: number): boolean {
    return this.is(a, this.#words, this.#starts[b] as number, this.#starts[b + 1] as number);
  }

  #place(n: number): void {
    const mask = this.#slots.length - 1;
    let slot = spread(this.#hashes[n] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = n + 1;
    this.#filled += 1;
  }

  #rehash(size: number): void {
    const old = this.#slots;
    this.#slots = new Int32Array(size);
    this.#filled = 0;
    for (let i = 0; i < old.length; i++) if (old[i] !== 0) this.#place((old[i] as number) - 1);
  }

  #growColumns(needed: number): void {
    const size = Math.max(needed, this.#starts.length * 2);
    if (needed <= this.#starts.length) return;
    const starts = new Uint32Array(size);
    starts.set(this.#starts);
    this.#starts = starts;
    const hashes = new Int32Array(size);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }

  #growArena(needed: number): void {
    if (needed <= this.#arena.length) return;
    const arena = new Uint8Array(Math.max(needed, this.#arena.length * 2));
    arena.set(this.#arena);
    this.#arena = arena;
    this.#words = new DataView(arena.buffer);
  }

  /** Half a surrogate pair reads back as another character, so only ASCII IDs are cached as text. */
  #cache(id: string, n: number): void {
    if (this.#textLength !== id.length) return;
    this.#knownText = id;
    this.#known = n;
  }

  /**
   * Writes the bytes and the hash of a text to the scratch fields; returns the number of bytes. ASCII, which IDs
   * consist of, is copied and hashed in one pass, by the same steps as `hash`.
   */
  #encode(text: string): number {
    if (text === this.#text) return this.#textLength;
    const { length } = text;
    if (this.#scratch.length < length * 3) this.#enlargeScratch(length * 3);
    const view = this.#scratchWords;
    const words = length & ~3;
    let value = HASH_START;
    let seen = 0;
    for (let i = 0; i < words; i += 4) {
      const a = text.charCodeAt(i);
      const b = text.charCodeAt(i + 1);
      const c = text.charCodeAt(i + 2);
      const d = text.charCodeAt(i + 3);
      seen |= a | b | c | d;
      const word = a | (b << 8) | (c << 16) | (d << 24);
      view.setInt32(i, word, true);
      value = Math.imul(value ^ word, FIRST_FACTOR);
      value = Math.imul(value ^ (value >>> 15), SECOND_FACTOR);
    }
    for (let i = words; i < length; i++) {
      const letter = text.charCodeAt(i);
      seen |= letter;
      view.setUint8(i, letter);
      value = Math.imul(value ^ letter, FIRST_FACTOR);
    }
    this.#text = text;
    this.#textLength = length;
    this.#textHash = value;
    if (seen >= 0x80) {
      this.#textLength = new TextEncoder().encodeInto(text, this.#scratch).written;
      this.#textHash = hash(view, 0, this.#textLength);
    }
    return this.#textLength;
  }

  #enlargeScratch(size: number): void {
    this.#scratch = new Uint8Array(size);
    this.#scratchWords = new DataView(this.#scratch.buffer);
  }
}

/** IDs are short, and a function call cannot take arbitrarily many arguments. */
const MOST_LETTERS = 256;

/** The number of slots to prefetch at a time. */
const AHEAD = 32;

/** Reads the slots of the next entries, so that the memory accesses overlap instead of waiting for each other. */
function prefetch(slots: Int32Array, hashes: Int32Array, from: number, to: number): number {
  const mask = slots.length - 1;
  let sum = 0;
  for (let n = from; n < to; n++) sum |= slots[spread(hashes[n] as number) & mask] as number;
  return sum;
}

/**
 * Different in every process, so that no one can craft a file whose IDs all share a slot. Two multiplications per step,
 * because a change in the highest bit passes through one of them unchanged, whatever the factor.
 */
const HASH_START = randomBits();
const FIRST_FACTOR = randomBits() | 1;
const SECOND_FACTOR = randomBits() | 1;

function randomBits(): number {
  return (Math.random() * 2 ** 32) | 0;
}

/** Four bytes per step: IDs are 8 to 36 bytes, and every line hashes two of them. */
function hash(view: DataView, start: number, end: number): number {
  let value = HASH_START;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    value = Math.imul(value ^ view.getInt32(i, true), FIRST_FACTOR);
    value = Math.imul(value ^ (value >>> 15), SECOND_FACTOR);
  }
  for (; i < end; i++) value = Math.imul(value ^ view.getUint8(i), FIRST_FACTOR);
  return value;
}

/** Mixes the high bits down, because the table uses the low ones. */
function spread(key: number): number {
  return key ^ (key >>> 16) ^ (key >>> 7);
}
