/**
 * A small seeded generator of numbers: the same seed gives the same sequence on every machine and Node version.
 *
 * @typedef {{
 *   next: () => number,
 *   below: (limit: number) => number,
 *   between: (low: number, high: number) => number,
 *   chance: (probability: number) => boolean,
 *   pick: <T>(choices: readonly T[]) => T,
 * }} Random
 */

/**
 * Integer arithmetic only, so no platform rounds differently. 128 bits of state: three words that feed each other and
 * a counter that keeps the period long.
 *
 * @param {number} seed
 * @returns {Random}
 */
export function seededRandom(seed) {
  let a = mix(seed, 1);
  let b = mix(seed, 2);
  let c = mix(seed, 3);
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  const below = (/** @type {number} */ limit) => Math.floor(next() * limit);
  /** @template T @param {readonly T[]} choices */
  const pick = (choices) => /** @type {T} */ (choices[below(choices.length)]);
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick,
  };
}

/**
 * The id of the entry at a place: 12 hex digits, never the same for two places of one seed.
 *
 * Four rounds of swapping and mixing the two 24-bit halves of the place can be undone, so no two places meet; a set of
 * the ids given out so far is not needed, and the id of any earlier entry can be worked out again.
 *
 * @param {number} seed
 * @param {number} place
 */
export function entryId(seed, place) {
  let left = Math.floor(place / 0x1000000) & 0xffffff;
  let right = place & 0xffffff;
  for (let round = 0; round < 4; round++) {
    const swapped = left ^ (mix(right, seed + round * 7919) & 0xffffff);
    left = right;
    right = swapped;
  }
  return hex(left) + hex(right);
}

/** @param {Random} random */
export function sessionId(random) {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16));
  digits[12] = "4";
  digits[16] = random.pick(["8", "9", "a", "b"]);
  const text = digits.join("");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/** @param {number} half */
function hex(half) {
  return (half + 0x1000000).toString(16).slice(1);
}

/**
 * @param {number} value
 * @param {number} salt
 */
function mix(value, salt) {
  let mixed = Math.imul(value ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 13)) | 0;
}
