import { enlarged } from "./enlarged.js";
import type { EntryTimes } from "./entry-times.js";

/**
 * Children of every entry as linked lists in typed arrays, oldest first: by time, or in file order if the times are
 * equal.
 *
 *        p            first[p] = a   next[a] = b   next[b] = c   last[p] = c
 *      / | \
 *     a  b  c
 *
 * Roots are the children of -1. Built from the parents on first use, then updated on append. Times are read only for
 * the children of an entry that has several.
 */
export class ChildLinks {
  readonly #times: EntryTimes;
  /** Slots with several children that may need sorting since one was added. */
  readonly #unsorted = new Set<number>();
  #first: Int32Array;
  #last: Int32Array;
  #next: Int32Array;
  #count: number;

  /** `parents[n]` is negative for roots. */
  constructor(parents: Int32Array, count: number, times: EntryTimes) {
    this.#times = times;
    this.#first = new Int32Array(count + 1).fill(-1);
    this.#last = new Int32Array(count + 1).fill(-1);
    this.#next = new Int32Array(count).fill(-1);
    this.#count = count;
    for (let n = 0; n < count; n++) this.#link(n, parents[n] as number);
  }

  add(n: number, parent: number): void {
    if (n !== this.#count) throw new Error(`bug: child ${n} added after ${this.#count}`);
    if (n >= this.#next.length) this.#grow();
    this.#count = n + 1;
    this.#link(n, parent);
  }

  firstOf(parent: number): number {
    const slot = slotOf(parent);
    if (this.#unsorted.size > 0) this.#sort(slot);
    return this.#first[slot] as number;
  }

  /** The sibling after `n` below `parent`. */
  nextOf(n: number, parent: number): number {
    if (this.#unsorted.size > 0) this.#sort(slotOf(parent));
    return this.#next[n] as number;
  }

  /** Slot 0 holds the roots, slot n + 1 the children of entry n. */
  #link(n: number, parent: number): void {
    const slot = slotOf(parent);
    const last = this.#last[slot] as number;
    if (last < 0) this.#first[slot] = n;
    else {
      this.#next[last] = n;
      this.#unsorted.add(slot);
    }
    this.#last[slot] = n;
  }

  #sort(slot: number): void {
    if (!this.#unsorted.delete(slot) || this.#times.areInFileOrder(this.#last[slot] as number)) return;
    const children: number[] = [];
    for (let n = this.#first[slot] as number; n >= 0; n = this.#next[n] as number) children.push(n);
    const sorted = this.#times.oldestFirst(children);
    for (let i = 0; i < sorted.length; i++) this.#next[sorted[i] as number] = sorted[i + 1] ?? -1;
    this.#first[slot] = sorted[0] as number;
    this.#last[slot] = sorted.at(-1) as number;
  }

  #grow(): void {
    const size = Math.max(64, this.#next.length * 2);
    this.#first = enlarged(this.#first, new Int32Array(size + 1).fill(-1));
    this.#last = enlarged(this.#last, new Int32Array(size + 1).fill(-1));
    this.#next = enlarged(this.#next, new Int32Array(size).fill(-1));
  }
}

function slotOf(parent: number): number {
  return parent < 0 ? 0 : parent + 1;
}
