/** A number for the size, times, inode and mode of a file: equal numbers mean the same file. */
import type { Stats } from "node:fs";

const values = new Float64Array(5);
const words = new Uint32Array(values.buffer);

/** Changes with every write, as far as the file system's clock resolves. 53 bits; never 0. */
export function signatureOf({ size, mtimeMs, ctimeMs, ino, mode }: Stats): number {
  values[0] = size;
  values[1] = mtimeMs;
  values[2] = ctimeMs;
  values[3] = ino;
  values[4] = mode;
  let high = 0x9e3779b1;
  let low = 0x7f4a7c15;
  // An indexed loop, because this runs for every file: it takes two thirds of the time.
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    high = Math.imul(high ^ word, 0x85ebca6b);
    high ^= high >>> 15;
    low = Math.imul(low ^ word ^ high, 0xc2b2ae35);
    low ^= low >>> 13;
  }
  return (high >>> 0) * 0x200000 + (low >>> 11) || 1;
}

/** File systems measure time in steps: two writes within one step have the same time. */
const TICK_MS = 50;

/**
 * Whether a file was already in place at a moment: neither written nor renamed since. A folder above it may have been.
 */
export function isOlder({ ctimeMs }: Pick<Stats, "ctimeMs">, moment: number): boolean {
  return ctimeMs < moment - TICK_MS;
}

/** Whether a later write would show in the signature. */
export function isSettled({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs > TICK_MS;
}
