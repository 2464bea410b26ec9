/**
 * Tells from bytes alone which lines can hold a match. It may name a line that has none; it never leaves out a line
 * that has one.
 */
import { type ByteRun, rarestRun } from "./byte-run.js";
import { type ByteFinder, type BytePair, fitOf } from "./find-bytes.js";
import type { Query } from "./query.js";
import { requiredText } from "./required-text.js";

/** The last two bytes of the long s and of the Kelvin sign. */
const LOOKALIKES: readonly BytePair[] = [
  { distance: 1, first: fitOf([0xc5]), second: fitOf([0xbf]) },
  { distance: 1, first: fitOf([0x84]), second: fitOf([0xaa]) },
];
const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;

export class LineFilter {
  readonly finder: ByteFinder;
  /** One for each term that has certain bytes, the rarest first: that one is looked for, the others are checked. */
  readonly #runs: readonly ByteRun[];

  constructor(query: Query, finder: ByteFinder) {
    this.finder = finder;
    const options = { fold: !query.caseSensitive };
    const terms = query.kind === "words" ? query.terms.map((term) => term.split(" ")) : [requiredText(query.source)];
    const runs = terms.map((pieces) => rarestRun(pieces, options)).filter((run) => run !== undefined);
    this.#runs = runs.sort((a, b) => a.commonness - b.commonness);
  }

  /** Starts of the lines that can hold a match, in order. The window holds whole lines from `from` to `end`. */
  linesIn(from: number, end: number): number[] {
    const [rarest, ...others] = this.#runs;
    if (rarest === undefined) return this.#allLines(from, end);
    const lines = this.#linesAt(from, end, (at) => this.#nextRun(rarest, at, end));
    let merged = merge(
      lines,
      this.#linesAt(from, end, (at) => this.#nextEscape(rarest, at, end)),
    );
    if (rarest.lookalikes) {
      for (const pair of LOOKALIKES) {
        merged = merge(
          merged,
          this.#linesAt(from, end, (at) => this.finder.findPair(at, end, pair)),
        );
      }
    }
    if (others.length === 0) return merged;
    return merged.filter((start) => {
      const lineEnd = this.finder.window.indexOf(NEWLINE, start);
      return others.every((run) => this.#holds(run, start, lineEnd));
    });
  }

  /** Whether a part of one line can hold a match, or the start or the end of one. */
  holdsPart(from: number, end: number): boolean {
    const [rarest] = this.#runs;
    return rarest === undefined || this.#holds(rarest, from, end);
  }

  #holds(run: ByteRun, from: number, end: number): boolean {
    if (this.#nextRun(run, from, end) >= 0 || this.#nextEscape(run, from, end) >= 0) return true;
    return run.lookalikes && LOOKALIKES.some((pair) => this.finder.findPair(from, end, pair) >= 0);
  }

  /** The lines in which `next` finds something. One find is enough: it goes on behind the line. */
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

  #nextRun({ places, pair, pairAt }: ByteRun, from: number, end: number): number {
    const { window } = this.finder;
    for (let at = this.finder.findPair(from + pairAt, end, pair); at >= 0; ) {
      const start = at - pairAt;
      let i = 0;
      while (i < places.length && (places[i] as number[]).includes(window[start + i] as number)) i++;
      if (i === places.length) return start + i <= end ? start : -1;
      at = this.finder.findPair(at + 1, end, pair);
    }
    return -1;
  }

  /** An escape of a character of the run. Two backslashes before the `u` are a backslash and no escape. */
  #nextEscape({ units }: ByteRun, from: number, end: number): number {
    const { window } = this.finder;
    for (let at = this.finder.findEscape(from, end); at >= 0; at = this.finder.findEscape(at + 1, end)) {
      const unit = Number.parseInt(window.toString("latin1", at + 2, at + 6), 16);
      if (units.has(unit) && this.#isEscape(at, from)) return at;
    }
    return -1;
  }

  #isEscape(at: number, from: number): boolean {
    let start = at;
    while (start > from && this.finder.window[start - 1] === BACKSLASH) start--;
    // A part of a line can start in the middle of backslashes: better one line too many.
    return (at - start) % 2 === 0 || start === from;
  }
}

/** Both lists in order, each number once. */
function merge(a: readonly number[], b: readonly number[]): number[] {
  if (b.length === 0) return a as number[];
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}
