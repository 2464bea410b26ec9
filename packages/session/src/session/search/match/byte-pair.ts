/** What a search for bytes looks for. Apart from the search itself, so that making a plan loads no vector code. */

/** Matches the bytes with `(byte | mask) === value`. */
export interface ByteFit {
  readonly mask: number;
  readonly value: number;
}

/**
 * A byte that matches at a position, another at `distance` after it, and a third that may also come before it; or an
 * escape that names one of these units.
 */
export interface BytePair {
  readonly distance: number;
  readonly first: ByteFit;
  readonly second: ByteFit;
  readonly third: ByteFit & { readonly distance: number };
  readonly escapes: { readonly lowest: number; readonly highest: number };
}

/**
 * The narrowest fit for these bytes: exact for one byte, and for two that differ in one bit, like the cases of a
 * letter.
 */
export function fitOf(bytes: readonly number[]): ByteFit {
  const [one = 0] = bytes;
  const mask = bytes.reduce((bits, byte) => bits | (byte ^ one), 0);
  return { mask, value: one | mask };
}

export const MOST_DISTANCE = 1 << 12;
