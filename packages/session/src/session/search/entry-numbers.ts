/** The IDs of entries in log order, optimized for few lookups among many. */
import type { Steps } from "../../text/index.js";
import { type IdKey, idKey } from "./message-runs.js";

/** The number of full scans allowed; after that a map is built, which costs about as much as the scans. */
const MOST_LOOKS = 128;
/** Half of what a map or set of the runtime can hold. */
const MOST_ENTRIES = 1 << 23;
/** Keys processed without a pause. */
const RUN = 1024;
/** Used for an ID that has no key. */
const NO_KEY = 0;

export class EntryNumbers {
  readonly #isAt: (n: number, id: string) => boolean;
  #keys = new Float64Array(1 << 12);
  #count = 0;
  readonly #unusual = new Map<string, number>();
  /** The number of keys compared so far. */
  #looked = 0;
  #byKey: Map<IdKey, number> | undefined;

  /** `isAt` tells whether entry n has this ID: equal keys do not prove it. */
  constructor(isAt: (n: number, id: string) => boolean) {
    this.#isAt = isAt;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether there are too many to scan: such a log is left to the index built for any length. */
  get isFull(): boolean {
    return this.#count > MOST_ENTRIES;
  }

  /** Gives the next numbers to consecutive IDs. */
  addRun(keys: Float64Array): void {
    this.#makeRoom(keys.length);
    this.#keys.set(keys, this.#count);
    if (this.#byKey !== undefined) for (const [i, key] of keys.entries()) this.#byKey.set(key, this.#count + i);
    this.#count += keys.length;
  }

  add(id: string): void {
    const key = idKey(id);
    this.#makeRoom(1);
    if (key === undefined) this.#unusual.set(id, this.#count);
    else this.#byKey?.set(key, this.#count);
    this.#keys[this.#count] = key ?? NO_KEY;
    this.#count += 1;
  }

  /** -1 if there is none. */
  numberOf(id: string): number {
    const key = idKey(id);
    const n = key === undefined ? (this.#unusual.get(id) ?? -1) : this.#find(key);
    return n >= 0 && this.#isAt(n, id) ? n : -1;
  }

  /** Whether any ID was given two numbers. In rare cases true for different IDs. */
  *mayHaveDuplicates(): Steps<boolean> {
    // A table with open addressing, because a set of the runtime needs an object for each key.
    const slots = new Float64Array(2 ** Math.ceil(Math.log2(2 * this.#count + 1)));
    const last = slots.length - 1;
    const halves = new Uint32Array(this.#keys.buffer);
    let without = 0;
    for (let n = 0; n < this.#count; n++) {
      if (n % RUN === 0) yield;
      const key = this.#keys[n] as number;
      if (key === NO_KEY) {
        without += 1;
        continue;
      }
      let at = spread(halves[2 * n] as number, halves[2 * n + 1] as number) & last;
      while (slots[at] !== NO_KEY) {
        if (slots[at] === key) return true;
        at = (at + 1) & last;
      }
      slots[at] = key;
    }
    return this.#unusual.size < without;
  }

  #find(key: IdKey): number {
    if (this.#byKey !== undefined) return this.#byKey.get(key) ?? -1;
    const n = this.#known.lastIndexOf(key);
    this.#looked += this.#count - n;
    if (this.#looked > MOST_LOOKS * this.#count) {
      const byKey = new Map<IdKey, number>();
      for (let at = 0; at < this.#count; at++) byKey.set(this.#keys[at] as number, at);
      this.#byKey = byKey;
    }
    return n;
  }

  get #known(): Float64Array {
    return this.#keys.subarray(0, this.#count);
  }

  #makeRoom(more: number): void {
    if (this.#count + more <= this.#keys.length) return;
    const larger = new Float64Array(Math.max(2 * this.#keys.length, this.#count + more));
    larger.set(this.#known);
    this.#keys = larger;
  }
}

/** Mixes the halves of a key, because IDs can differ in few bits only. */
function spread(low: number, high: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
