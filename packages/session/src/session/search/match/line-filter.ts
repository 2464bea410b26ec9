/**
 * Decides from bytes alone which lines may hold a match. It may name a line without one, but never misses a line with
 * one.
 */

import { type BytePair, fitOf } from "./byte-pair.js";
import type { ByteRun } from "./byte-run.js";
import type { ByteFinder } from "./find-bytes.js";

/** The last two bytes of the long s and of the Kelvin sign. */
const LOOKALIKES = [
  [0xc5, 0xbf],
  [0x84, 0xaa],
] as const;
const LOOKALIKE_END = fitOf(LOOKALIKES.map(([, second]) => second));
/** Finds both in one pass, and some other pairs. */
const LOOKALIKE: BytePair = {
  distance: 1,
  first: fitOf(LOOKALIKES.map(([first]) => first)),
  second: LOOKALIKE_END,
  third: { distance: 1, ...LOOKALIKE_END },
  // Matches no escape.
  escapes: { lowest: 0x10000, highest: 0x10000 },
};
const NEWLINE = 0x0a;
const NO_LINES: readonly number[] = [];
const BACKSLASH = 0x5c;

export class LineFilter {
  readonly finder: ByteFinder;
  /** Rarest first: that one is searched for, the others are checked. */
  readonly #runs: readonly ByteRun[];

  constructor(runs: readonly ByteRun[], finder: ByteFinder) {
    this.finder = finder;
    this.#runs = runs;
  }

  /** Starts of the lines that may hold a match, in order. The window holds whole lines from `from` to `end`. */
  linesIn(from: number, end: number): readonly number[] {
    const [rarest, ...others] = this.#runs;
    if (rarest === undefined) return this.#allLines(from, end);
    // The usual case, so it comes before any other work.
    if (!this.#holds(rarest, from, end)) return NO_LINES;
    let lines = this.#linesAt(from, end, (at) => this.#next(rarest, at, end));
    if (rarest.lookalikes) {
      const more = this.#linesAt(from, end, (at) => this.#nextLookalike(at, end));
      if (more.length > 0) lines = [...new Set([...lines, ...more])].sort((a, b) => a - b);
    }
    if (others.length === 0) return lines;
    return lines.filter((start) => {
      const lineEnd = this.finder.window.indexOf(NEWLINE, start);
      return others.every((run) => this.#holds(run, start, lineEnd));
    });
  }

  /** Whether a part of one line may hold a match, or the start or end of one. */
  holdsPart(from: number, end: number): boolean {
    const [rarest] = this.#runs;
    return rarest === undefined || this.#holds(rarest, from, end);
  }

  #holds(run: ByteRun, from: number, end: number): boolean {
    if (this.#next(run, from, end) >= 0) return true;
    return run.lookalikes && this.#nextLookalike(from, end) >= 0;
  }

  /** The lines in which `next` finds something. One find per line is enough: it continues after the line. */
  #linesAt(from: number, end: number, next: (at: number) => number): number[] {
    const { window } = this.finder;
    const starts: number[] = [];
    let lineEnd = from - 1;
    for (let at = next(from); at >= 0; at = next(lineEnd + 1)) {
      const newline = at === 0 ? -1 : window.lastIndexOf(NEWLINE, at - 1);
      starts.push(Math.max(newline, lineEnd) + 1);
      lineEnd = window.indexOf(NEWLINE, at);
      if (lineEnd < 0 || lineEnd >= end) break;
    }
    return starts;
  }

  #allLines(from: number, end: number): number[] {
    const starts: number[] = [];
    for (let at = from; at < end; at = this.finder.window.indexOf(NEWLINE, at) + 1) starts.push(at);
    return starts;
  }

  /** The next position of the run, or of an escape that may hide it. */
  #next(run: ByteRun, from: number, end: number): number {
    const { window } = this.finder;
    for (let at = this.finder.find(from, end, run.pair); at >= 0; at = this.finder.find(at + 1, end, run.pair)) {
      if (window[at] === BACKSLASH) {
        const unit = Number.parseInt(window.toString("latin1", at + 2, at + 6), 16);
        if (run.units.has(unit) && this.#isEscape(at, from)) return at;
      } else if (this.#isRunAt(run, at - run.pairAt, end)) return at;
    }
    return -1;
  }

  #isRunAt({ places }: ByteRun, start: number, end: number): boolean {
    const { window } = this.finder;
    if (start + places.length > end) return false;
    let i = 0;
    while (i < places.length && (places[i] as number[]).includes(window[start + i] as number)) i++;
    return i === places.length;
  }

  #nextLookalike(from: number, end: number): number {
    const { window } = this.finder;
    for (let at = this.finder.find(from, end, LOOKALIKE); at >= 0; at = this.finder.find(at + 1, end, LOOKALIKE)) {
      if (LOOKALIKES.some(([first, second]) => window[at] === first && window[at + 1] === second)) return at;
    }
    return -1;
  }

  /** Two backslashes before the `u` are a literal backslash, not an escape. */
  #isEscape(at: number, from: number): boolean {
    let start = at;
    while (start > from && this.finder.window[start - 1] === BACKSLASH) start--;
    // A part of a line can start in the middle of backslashes: rather one line too many.
    return (at - start) % 2 === 0 || start === from;
  }
}
