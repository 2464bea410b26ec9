/** The ids of entries in the order of the log, where few of many are ever asked for. */
import type { Steps } from "../../text/index.js";
import { type IdKey, idKey } from "./message-runs.js";

/** So often all may be looked through; a caller that asks for more gets a map, which takes as long to make. */
const MOST_LOOKS = 128;
/** Half of what a map or a set of the runtime can hold. */
const MOST_ENTRIES = 1 << 23;
/** Keys that are looked at without a pause. */
const RUN = 1024;
/** Instead of an id that has no key. */
const NO_KEY = 0;

export class EntryNumbers {
  readonly #isAt: (n: number, id: string) => boolean;
  #keys = new Float64Array(1 << 12);
  #count = 0;
  readonly #unusual = new Map<string, number>();
  /** How many keys were looked at. */
  #looked = 0;
  #byKey: Map<IdKey, number> | undefined;

  /** `isAt` tells whether entry n has this id: that keys are the same does not prove it. */
  constructor(isAt: (n: number, id: string) => boolean) {
    this.#isAt = isAt;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether there are more than can be looked through: such a log is for the index that is made for any length. */
  get isFull(): boolean {
    return this.#count > MOST_ENTRIES;
  }

  /** Gives the next numbers to ids that come one after another. */
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

  /** Whether any id was given two numbers. May be true for different ids, hardly ever. */
  *hasTwins(): Steps<boolean> {
    const different = new Set<number>();
    for (let n = 0; n < this.#count; n++) {
      different.add(this.#keys[n] as number);
      if (n % RUN === 0) yield;
    }
    different.delete(NO_KEY);
    return different.size + this.#unusual.size < this.#count;
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
