/**
 * Finds pairs of bytes in a window of memory, 64 places at a time.
 *
 * A search for a word looks at two of its bytes at their distance, each in both cases; only where both are right is
 * the rest compared. The loop is WebAssembly with vector instructions, assembled in vector-module.ts, because nothing else in the
 * runtime looks for several bytes at once: it passes 10 GB in a second where `Buffer.indexOf` and regular expressions
 * pass 2. Without vector instructions a plain loop does the same, slower.
 */
import { vectorModule } from "./vector-module.js";

/** Bytes that fit: those with `(byte | mask) === value`. */
export interface ByteFit {
  readonly mask: number;
  readonly value: number;
}

/** A byte that fits at a place, and one at `distance` behind it. */
export interface BytePair {
  readonly distance: number;
  readonly first: ByteFit;
  readonly second: ByteFit;
}

/** The narrowest fit for these bytes: exact for one, and for two that differ in one bit, as the cases of a letter do. */
export function fitOf(bytes: readonly number[]): ByteFit {
  const [one = 0] = bytes;
  const mask = bytes.reduce((bits, byte) => bits | (byte ^ one), 0);
  return { mask, value: one | mask };
}

export interface ByteFinder {
  /** The memory that is searched. */
  readonly window: Buffer;
  /** The first place in `from..end` where the pair stands, or -1. The second byte may lie behind `end`. */
  findPair(from: number, end: number, pair: BytePair): number;
  /** The first place in `from..end` of `\u` with digits that name no control character, or -1. */
  findEscape(from: number, end: number): number;
}

const PAGE = 1 << 16;
/** What is read behind the end of the window: the largest distance and one vector. */
const SLACK = PAGE;
export const MOST_DISTANCE = 1 << 12;

export function createByteFinder(size: number): ByteFinder {
  const module = vectorModule(Math.ceil((size + SLACK) / PAGE));
  if (WebAssembly === undefined || !WebAssembly.validate(module)) return new PlainFinder(size);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  return new VectorFinder(exports, size);
}

/** As much of the runtime's interface as is used here; the types of Node do not have it. */
interface WebAssemblyInterface {
  validate(module: Uint8Array): boolean;
  readonly Module: new (module: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyInterface | undefined };

type FindPair = (...parameters: [from: number, end: number, distance: number, ...fits: number[]]) => number;

class VectorFinder implements ByteFinder {
  readonly window: Buffer;
  readonly #findPair: FindPair;
  readonly findEscape: (from: number, end: number) => number;

  constructor(exports: Readonly<Record<string, unknown>>, size: number) {
    const { buffer } = exports.memory as { readonly buffer: ArrayBuffer };
    this.window = Buffer.from(buffer, 0, size);
    this.#findPair = exports.findPair as FindPair;
    this.findEscape = exports.findEscape as (from: number, end: number) => number;
  }

  findPair(from: number, end: number, { distance, first, second }: BytePair): number {
    return this.#findPair(from, end, distance, first.mask, first.value, second.mask, second.value);
  }
}

/** The same without vectors. */
export class PlainFinder implements ByteFinder {
  readonly window: Buffer;

  constructor(size: number) {
    this.window = Buffer.alloc(size + SLACK).subarray(0, size);
  }

  findPair(from: number, end: number, { distance, first, second }: BytePair): number {
    const { window } = this;
    for (let at = from; at < end; at++) {
      if (((window[at] as number) | first.mask) !== first.value) continue;
      // Undefined, which is no bits at all, behind the end of the window.
      if (((window[at + distance] ?? 0) | second.mask) === second.value) return at;
    }
    return -1;
  }

  findEscape(from: number, end: number): number {
    const { window } = this;
    for (let at = window.indexOf("\\u", from); at >= 0 && at < end; at = window.indexOf("\\u", at + 1)) {
      const control = window[at + 2] === 0x30 && window[at + 3] === 0x30 && (window[at + 4] as number) <= 0x31;
      if (!control) return at;
    }
    return -1;
  }
}
