/**
 * Decides from the bytes of files in any JSON dialect whether a search can find something in them, for sources that
 * must be converted before they can be searched. It may say yes without a match, but never says no to a source that has
 * one.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { type ByteRun, rarestRun } from "./byte-run.js";
import { type ByteFinder, createByteFinder } from "./find-bytes.js";
import { parseQuery, type Query } from "./query.js";
import { requiredText } from "./required-text.js";

interface MayContainOptions {
  /** As in the search. Default: case-insensitive. */
  readonly caseSensitive?: boolean;
}

interface MayContainSource {
  readonly files: readonly string[];
  /** Texts of the source that are not in any of its files, such as a title from an index. */
  readonly texts?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export type MayContain = (source: MayContainSource) => Promise<boolean>;

/**
 * Every term must occur in the files, each in any of them, because records become entries in many ways. Relies only on
 * ASCII letters and digits, which look the same however often JSON was nested in JSON. Compressed files, databases and
 * unreadable files may hold anything. Throws `bad-query` as the search does.
 */
export function createMayContain(query: string, options: MayContainOptions = {}): MayContain {
  const parsed = parseQuery(query, options);
  const runs = termsOf(parsed)
    .map((pieces) => rarestRun(pieces.flatMap(plainParts), { fold: !parsed.caseSensitive }))
    .filter((run) => run !== undefined);
  if (runs.length === 0) return async () => true;
  const free: ByteFinder[] = [];
  return async (source) => {
    // A window serves one scan at a time.
    const finder = free.pop() ?? createByteFinder(WINDOW);
    try {
      return await new SourceScan(finder, runs).look(source);
    } finally {
      free.push(finder);
    }
  };
}

/** The pieces of each term; for a pattern, those that every match contains. */
function termsOf(query: Query): readonly (readonly string[])[] {
  return query.kind === "words" ? query.terms.map((term) => [term]) : [requiredText(query.source)];
}

function plainParts(piece: string): string[] {
  return piece.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
}

const WINDOW = 1 << 20;
/** Bytes kept of a window for the next: longer than any run and any escape. */
const OVERLAP = 1 << 8;
/** Windows between two yields, so that signals are handled. */
const REST = 8;
const BACKSLASH = 0x5c;
/** The long s and the Kelvin sign, which fold to ASCII letters. */
const LOOKALIKES = ["\u017f", "\u212a"] as const;
/** The first bytes of compressed files (zstd, gzip) and of SQLite databases. */
const OPAQUE = [[0x28, 0xb5, 0x2f, 0xfd], [0x1f, 0x8b], [...Buffer.from("SQLite format 3\0")]] as const;

class SourceScan {
  readonly #finder: ByteFinder;
  #missing: readonly ByteRun[];

  constructor(finder: ByteFinder, runs: readonly ByteRun[]) {
    this.#finder = finder;
    this.#missing = runs;
  }

  async look({ files, texts = [], signal }: MayContainSource): Promise<boolean> {
    for (const text of texts) this.#scanWindow(this.#finder.window.write(text));
    for (const file of files) {
      if (this.#missing.length === 0) break;
      if (await this.#scanFile(file, signal)) return true;
    }
    return this.#missing.length === 0;
  }

  /** True if the file may hold anything. */
  async #scanFile(path: string, signal: AbortSignal | undefined): Promise<boolean> {
    const { window } = this.#finder;
    let file: number;
    try {
      file = openSync(path, "r");
    } catch {
      // Converting the file will report why.
      return true;
    }
    try {
      let kept = 0;
      for (let at = 0, windows = 1; this.#missing.length > 0; windows++) {
        const got = readSync(file, window, kept, window.length - kept, at);
        if (got === 0) return false;
        if (at === 0 && OPAQUE.some((start) => start.every((byte, i) => window[i] === byte))) return true;
        at += got;
        const end = kept + got;
        this.#scanWindow(end);
        kept = Math.min(OVERLAP, end);
        window.copyWithin(0, end - kept, end);
        if (windows % REST === 0) await setImmediate();
        signal?.throwIfAborted();
      }
      return false;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return true;
    } finally {
      closeSync(file);
    }
  }

  #scanWindow(end: number): void {
    this.#missing = this.#missing.filter((run) => !this.#holds(run, end));
  }

  #holds(run: ByteRun, end: number): boolean {
    const { window } = this.#finder;
    if (run.lookalikes && LOOKALIKES.some((letter) => window.subarray(0, end).includes(letter))) return true;
    for (let at = this.#finder.find(0, end, run.pair); at >= 0; at = this.#finder.find(at + 1, end, run.pair)) {
      if (window[at] === BACKSLASH) {
        // Whether this is an escape depends on how often the text was nested in JSON, so it may be one.
        if (run.units.has(Number.parseInt(window.toString("latin1", at + 2, at + 6), 16))) return true;
      } else if (isRunAt(window.subarray(0, end), at - run.pairAt, run)) return true;
    }
    return false;
  }
}

function isRunAt(bytes: Buffer, start: number, { places }: ByteRun): boolean {
  if (start < 0 || start + places.length > bytes.length) return false;
  return places.every((allowed, i) => allowed.includes(bytes[start + i] as number));
}
