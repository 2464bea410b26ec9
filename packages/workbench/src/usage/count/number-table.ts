/** A map from numbers to small whole numbers. A `Map` would allocate an object for each large key. */

/** At most this full, so that a search ends soon. */
const LOAD = 0.5;
const FREE = 0;

/** Keys are whole numbers from 1 up to 2^53. */
export class NumberTable {
  #keys: Float64Array;
  #values: Int32Array;
  #count = 0;

  /** Grows if there are more keys than expected. */
  constructor(expected: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(64, expected / LOAD + 1)));
    this.#keys = new Float64Array(size);
    this.#values = new Int32Array(size);
  }

  /** -1 if the key is not there. */
  get(key: number): number {
    const slot = this.#slotOf(key);
    return this.#keys[slot] === key ? (this.#values[slot] as number) : -1;
  }

  set(key: number, value: number): void {
    if (this.#count >= this.#keys.length * LOAD) this.#grow();
    const slot = this.#slotOf(key);
    if (this.#keys[slot] === FREE) this.#count += 1;
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  /** Where the key is, or belongs. */
  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    const mixed = Math.imul((key % 4294967296) ^ Math.floor(key / 1048576), 0x9e3779b1);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (this.#keys[slot] !== FREE && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2);
    this.#values = new Int32Array(keys.length * 2);
    for (let at = 0; at < keys.length; at++) {
      if (keys[at] === FREE) continue;
      const slot = this.#slotOf(keys[at] as number);
      this.#keys[slot] = keys[at] as number;
      this.#values[slot] = values[at] as number;
    }
  }
}
