/**
 * Finds pairs of bytes and escapes in a window of memory, 128 positions at a time.
 *
 * A search for a word checks two of its bytes at their distance, each in both cases; only if both match, a third is
 * checked, and then the rest. Escapes are found in the same pass, because JSON can hide a character of the word in one.
 * The loop is WebAssembly with vector instructions, assembled in `vector/`, because nothing else in the runtime
 * searches for several bytes at once: it covers 14 GB per second where `Buffer.indexOf` and regular expressions cover
 * 2. Without vector instructions, a plain loop does the same more slowly.
 */
import { MessageRuns, type TakeMessages } from "../message-runs.js";
import { assembleModule } from "../vector/assembler.js";
import { FIND_EXACT_PAIR, FIND_PAIR } from "../vector/find-pair.js";
import { TAKE_MESSAGES } from "../vector/take-messages.js";
import type { ByteFit, BytePair } from "./byte-pair.js";

export interface ByteFinder {
  /** The memory to search. */
  readonly window: Buffer;
  /**
   * The first position in `from..end` of the pair or of one of its escapes; -1 if there is none. The rest of either may
   * extend past `end`. Also finds some positions where `\u` is followed by non-digits.
   */
  find(from: number, end: number, pair: BytePair): number;
  /** Takes runs of messages from the window; undefined if the runtime has no vector instructions. */
  readonly runs: MessageRuns | undefined;
}

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const PAGE = 1 << 16;
/** Readable memory after the window: the largest distance and one iteration of the loop. */
const SLACK = PAGE;

/** The compiled loop. Opaque; can be sent to a worker. */
export type CompiledFinder = object;

/** Compiled once: the runtime optimizes the loop while it runs, and the next search benefits. */
let compiled: CompiledFinder | undefined;

export function createByteFinder(size: number): ByteFinder {
  const module = compiledFinder();
  if (module === undefined || WebAssembly === undefined) return new PlainFinder(size);
  const pages = Math.ceil((size + SLACK) / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages + MessageRuns.BYTES / PAGE });
  const { exports } = new WebAssembly.Instance(module, { window: { memory } });
  const runs = new MessageRuns(exports.takeMessages as TakeMessages, memory.buffer, pages * PAGE);
  const finds = { find: exports.find as Find, findExact: exports.findExact as Find };
  return new VectorFinder(Buffer.from(memory.buffer, 0, size), finds, runs);
}

/** Undefined if the runtime has no vector instructions. */
export function compiledFinder(): CompiledFinder | undefined {
  if (compiled !== undefined || WebAssembly === undefined) return compiled;
  try {
    compiled = new WebAssembly.Module(vectorModule());
  } catch {
    // No vector instructions: the plain loop is used.
  }
  return compiled;
}

/** Reuses the module that another thread compiled. */
export function useCompiledFinder(module: CompiledFinder): void {
  compiled = module;
}

/** The part of the runtime's interface used here; Node's types do not have it. */
interface WebAssemblyInterface {
  readonly Module: new (module: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyInterface | undefined };

type Find = (...parameters: [from: number, end: number, distance: number, ...fits: number[]]) => number;

class VectorFinder implements ByteFinder {
  readonly window: Buffer;
  readonly runs: MessageRuns;
  readonly #find: Find;
  readonly #findExact: Find;

  constructor(window: Buffer, { find, findExact }: { find: Find; findExact: Find }, runs: MessageRuns) {
    this.window = window;
    this.runs = runs;
    this.#find = find;
    this.#findExact = findExact;
  }

  find(from: number, end: number, { distance, first, second, third, escapes }: BytePair): number {
    const find = first.mask === 0 && second.mask === 0 ? this.#findExact : this.#find;
    // Arguments are passed separately: this is called for every piece of every file, before the runtime has optimized
    // it.
    return find(
      from,
      end,
      distance,
      first.mask,
      first.value,
      second.mask,
      second.value,
      third.distance,
      third.mask,
      third.value,
      escapes.lowest,
      escapes.highest,
    );
  }
}

/** The same search without vectors. */
export class PlainFinder implements ByteFinder {
  readonly window: Buffer;
  readonly runs = undefined;

  constructor(size: number) {
    this.window = Buffer.alloc(size + SLACK).subarray(0, size);
  }

  find(from: number, end: number, { distance, first, second, third, escapes }: BytePair): number {
    for (let at = from; at < end; at++) {
      const byte = this.window[at] as number;
      if (byte === BACKSLASH && this.window[at + 1] === LETTER_U) {
        const unit = Number.parseInt(this.window.toString("latin1", at + 2, at + 6), 16);
        if (unit >= escapes.lowest && unit <= escapes.highest) return at;
      }
      if ((byte | first.mask) !== first.value) continue;
      if (this.#fits(at + distance, second) && this.#fits(at + third.distance, third)) return at;
    }
    return -1;
  }

  #fits(at: number, { mask, value }: ByteFit): boolean {
    // Past the end of the window, undefined counts as no bits set; nothing matches before its start.
    return at >= 0 && ((this.window[at] ?? 0) | mask) === value;
  }
}

function vectorModule(): Uint8Array {
  return assembleModule([FIND_PAIR, FIND_EXACT_PAIR, TAKE_MESSAGES]);
}
