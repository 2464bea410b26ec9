/** Entries as positions in one walk over the whole tree: the inside of a branch is a range of positions. */
import type { FactsSource } from "../facts-source.js";

/** Positions of entries, ascending. */
export function placesOf({ branches }: Pick<FactsSource, "branches">, entries: Iterable<number>): Int32Array {
  const order = branches.subtreeOrder;
  return Int32Array.from(entries, (n) => order.placeOf(n)).sort();
}

/** Index of the first value that is not below `value`. */
export function lowerBound(values: Int32Array, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
