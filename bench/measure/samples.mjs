/**
 * Several measurements of one thing.
 *
 * @typedef {{ median: number, min: number, runs: number }} Samples
 */

/**
 * @param {readonly number[]} values
 * @returns {Samples}
 */
export function samples(values) {
  return { median: median(values), min: Math.min(...values), runs: values.length };
}

/** @param {readonly number[]} values */
export function median(values) {
  if (values.length === 0) throw new Error("bug: the median of nothing");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = /** @type {number} */ (sorted[middle]);
  return sorted.length % 2 === 1 ? upper : (upper + /** @type {number} */ (sorted[middle - 1])) / 2;
}
