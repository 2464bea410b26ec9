/** How many of some places are in a stretch, while places are added: a binary indexed tree. */
export class PlaceCounts {
  readonly #sums: Int32Array;

  /** For places from 0 to below `size`. */
  constructor(size: number) {
    this.#sums = new Int32Array(size + 1);
  }

  add(place: number): void {
    for (let at = place + 1; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] as number) + 1;
  }

  /** How many are at `from` or after it, and before `to`. */
  between(from: number, to: number): number {
    return this.#before(to) - this.#before(from);
  }

  #before(place: number): number {
    let sum = 0;
    for (let at = place; at > 0; at -= at & -at) sum += this.#sums[at] as number;
    return sum;
  }
}
