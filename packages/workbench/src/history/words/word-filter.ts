/** A Bloom filter over the words of a text: tells that a word is not there, or that it may be. */
import { termKeys, wordKeys } from "./word-keys.js";

const LEAST_BITS = 1 << 10;
const MOST_BITS = 1 << 18;

/** Sized by text length, so that a word that is not in the text rarely passes. */
export function makeFilter(texts: Iterable<string>, length: number): Uint8Array {
  let bits = LEAST_BITS;
  while (bits < length / 2 && bits < MOST_BITS) bits *= 2;
  const filter = new Uint8Array(bits / 8);
  const add = (key: number): void => {
    const [a, b] = placesOf(key, bits);
    filter[a >> 3] = (filter[a >> 3] as number) | (1 << (a & 7));
    filter[b >> 3] = (filter[b >> 3] as number) | (1 << (b & 7));
  };
  for (const text of texts) wordKeys(text, add);
  return filter;
}

/** The keys that a filter must contain for its text to be searched. */
export function filterKeys(terms: Iterable<string>): readonly number[] {
  const keys = new Set<number>();
  for (const term of terms) termKeys(term, (key) => keys.add(key));
  return [...keys];
}

export function mayHold(filter: Uint8Array, keys: readonly number[]): boolean {
  const bits = filter.length * 8;
  return keys.every((key) => {
    const [a, b] = placesOf(key, bits);
    return ((filter[a >> 3] as number) & (1 << (a & 7))) !== 0 && ((filter[b >> 3] as number) & (1 << (b & 7))) !== 0;
  });
}

/** `bits` is a power of two. */
function placesOf(key: number, bits: number): readonly [number, number] {
  const second = Math.imul(key ^ (key >>> 15), 0x85ebca6b) >>> 0;
  return [key & (bits - 1), (second ^ (second >>> 13)) & (bits - 1)];
}
