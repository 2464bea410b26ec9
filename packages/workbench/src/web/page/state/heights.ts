/**
 * Heights of a long list: estimated first, measured when drawn. A Fenwick tree makes sums over any range logarithmic,
 * so that a list of 100,000 items scrolls like a short one.
 */
export class Heights {
  readonly #heights: Float64Array;
  readonly #sums: Float64Array;

  constructor(count: number, guess: (index: number) => number) {
    this.#heights = new Float64Array(count);
    this.#sums = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) this.#heights[i] = guess(i);
    for (let i = 1; i <= count; i++) {
      this.#sums[i] = (this.#sums[i] as number) + (this.#heights[i - 1] as number);
      const parent = i + (i & -i);
      if (parent <= count) this.#sums[parent] = (this.#sums[parent] as number) + (this.#sums[i] as number);
    }
  }

  get count(): number {
    return this.#heights.length;
  }

  get total(): number {
    return this.before(this.count);
  }

  of(index: number): number {
    return this.#heights[index] ?? 0;
  }

  /** Sets the height of an item and returns whether it changed. */
  set(index: number, height: number): boolean {
    const change = height - this.of(index);
    if (Math.abs(change) < 0.5) return false;
    this.#heights[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.#sums[i] = (this.#sums[i] as number) + change;
    return true;
  }

  /** The distance from the top at which an item starts. */
  before(index: number): number {
    let sum = 0;
    for (let i = Math.min(index, this.count); i > 0; i -= i & -i) sum += this.#sums[i] as number;
    return sum;
  }

  /** The item at a distance from the top. */
  at(distance: number): number {
    let place = 0;
    let rest = distance;
    let step = 1;
    while (step * 2 <= this.count) step *= 2;
    for (; step > 0; step >>= 1) {
      const next = place + step;
      if (next <= this.count && (this.#sums[next] as number) <= rest) {
        place = next;
        rest -= this.#sums[next] as number;
      }
    }
    return Math.max(0, Math.min(this.count - 1, place));
  }
}
