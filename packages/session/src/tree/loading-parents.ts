import type { IdTable } from "./id-table.js";

/** Parent IDs to look up once everything is loaded: bytes in one block, like the IDs themselves. */
export class LoadingParents {
  #arena = new Uint8Array(1024);
  #view = new DataView(this.#arena.buffer);
  #starts = new Uint32Array(64);
  #numbers = new Int32Array(64);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The entries that these are the parents of. */
  get numbers(): Int32Array {
    return this.#numbers;
  }

  add(n: number, view: DataView, start: number, end: number): void {
    const i = this.#count;
    if (i + 2 > this.#starts.length) this.#grow();
    const from = this.#starts[i] as number;
    const length = end - start;
    if (from + length > this.#arena.length) this.#growArena(from + length);
    for (let at = 0; at < length; at++) this.#arena[from + at] = view.getUint8(start + at);
    this.#starts[i + 1] = from + length;
    this.#numbers[i] = n;
    this.#count = i + 1;
  }

  /** The entry number of the i-th parent ID in the table, or -1. */
  findIn(ids: IdTable, i: number): number {
    return ids.find(this.#view, this.#starts[i] as number, this.#starts[i + 1] as number);
  }

  #grow(): void {
    const starts = new Uint32Array(this.#starts.length * 2);
    starts.set(this.#starts);
    this.#starts = starts;
    const numbers = new Int32Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }

  #growArena(needed: number): void {
    const arena = new Uint8Array(Math.max(needed, this.#arena.length * 2));
    arena.set(this.#arena);
    this.#arena = arena;
    this.#view = new DataView(arena.buffer);
  }
}
