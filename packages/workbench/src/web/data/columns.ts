/** Encodes columns of integers as text: small ones take one byte, and base64 survives in any file. */

import type { Steps } from "@bough/session/text/index.js";

/** How many numbers to encode without a pause. */
const RUN = 1024;

/** Encodes signed numbers, each in as few bytes as it needs. */
export function* encodeColumn(values: ArrayLike<number>): Steps<string> {
  const bytes = new GrowingBytes();
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    // The sign is the lowest bit, so that -1 is as short as 1. Uses arithmetic, because shifts fail for lengths over 31
    // bits.
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
    if (i % RUN === 0) yield;
  }
  return yield* bytes.base64();
}

export function decodeColumn(text: string, count: number): Float64Array {
  const bytes = atob(text);
  const values = new Float64Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let rest = 0;
    let factor = 1;
    for (;;) {
      // NaN past the end counts as zero, so that decoding a cut column ends in zeros instead of looping forever.
      const byte = bytes.charCodeAt(at++) || 0;
      rest += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 0x80;
    }
    values[i] = rest % 2 === 1 ? -(rest + 1) / 2 : rest / 2;
  }
  return values;
}

/** Encodes numbers below 256 in one byte each. */
export function* encodeBytes(values: ArrayLike<number>): Steps<string> {
  const bytes = new GrowingBytes();
  for (let i = 0; i < values.length; i++) bytes.push(values[i] as number);
  return yield* bytes.base64();
}

export function decodeBytes(text: string, count: number): Uint8Array {
  const bytes = atob(text);
  const values = new Uint8Array(count);
  for (let i = 0; i < count; i++) values[i] = bytes.charCodeAt(i) || 0;
  return values;
}

class GrowingBytes {
  #bytes = new Uint8Array(1024);
  #length = 0;

  push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const bigger = new Uint8Array(this.#length * 2);
      bigger.set(this.#bytes);
      this.#bytes = bigger;
    }
    this.#bytes[this.#length++] = byte;
  }

  *base64(): Steps<string> {
    // A multiple of three bytes at a time, so that the base64 pieces can be concatenated.
    const step = 3 * 8192;
    let text = "";
    for (let at = 0; at < this.#length; at += step) {
      const piece = this.#bytes.subarray(at, Math.min(this.#length, at + step));
      text += btoa(String.fromCharCode(...piece));
      yield;
    }
    return text;
  }
}
