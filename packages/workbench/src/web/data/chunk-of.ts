/** The chunk that contains an entry, given the first entries of all chunks. */
export function chunkOf(starts: ArrayLike<number>, n: number): number {
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= n) low = middle;
    else high = middle;
  }
  return low;
}
