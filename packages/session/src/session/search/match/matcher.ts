/** Whether a text matches a query, and where. This alone decides; the search on bytes only saves it work. */
import type { Query } from "./query.js";

/** Start and end in a text, in UTF-16 units. */
export type Match = readonly [start: number, end: number];

/**
 * The positions at which `text` matches, in order and without overlaps, from the first one up to `reach` units after
 * its start; undefined if the text is not a hit.
 */
export type Matcher = (text: string, reach: number) => readonly Match[] | undefined;

/** Patterns see this much of a line of text, so that even one that tries every pair of positions ends soon. */
export const PATTERN_LINE_LIMIT = 1 << 15;

export function createMatcher(query: Query): Matcher {
  const flags = query.caseSensitive ? "gu" : "giu";
  if (query.kind === "pattern") return patternMatcher(new RegExp(query.source, flags));
  return wordsMatcher(query.terms.map((term) => new RegExp(termSource(term), flags)));
}

/** A term as a pattern: literal, except that a space matches any run of white space. */
function termSource(term: string): string {
  return term
    .split(" ")
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"))
    .join("\\s+");
}

function wordsMatcher(terms: readonly RegExp[]): Matcher {
  return (text, reach) => {
    let first = text.length;
    for (const term of terms) {
      term.lastIndex = 0;
      const found = term.exec(text);
      if (found === null) return undefined;
      first = Math.min(first, found.index);
    }
    const matches: Match[] = [];
    for (const term of terms) {
      term.lastIndex = first;
      collect(term, { text, shift: 0, end: first + reach, matches });
    }
    return withoutOverlaps(matches);
  };
}

/** Runs the pattern line by line. Empty matches do not count: `x*` would match every line. */
function patternMatcher(pattern: RegExp): Matcher {
  return (text, reach) => {
    const matches: Match[] = [];
    for (let start = 0; start <= text.length; ) {
      const first = matches[0];
      if (first !== undefined && start >= first[0] + reach) break;
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(start, Math.min(end, start + PATTERN_LINE_LIMIT));
      pattern.lastIndex = 0;
      const until = first === undefined ? Number.POSITIVE_INFINITY : first[0] + reach;
      collect(pattern, { text: line, shift: start, end: until, matches, reach });
      start = end + 1;
    }
    return matches.length === 0 ? undefined : matches;
  };
}

interface Collecting {
  readonly text: string;
  /** The offset of `text` in the whole. */
  readonly shift: number;
  /** Matches that start at or after this offset are skipped. */
  readonly end: number;
  /** Moves the end to this distance from the first match, if that is nearer. */
  readonly reach?: number;
  readonly matches: Match[];
}

function collect(pattern: RegExp, { text, shift, end, reach, matches }: Collecting): void {
  let last = end;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = shift + found.index;
    if (start >= last) return;
    if (found[0] === "") {
      pattern.lastIndex += (text.codePointAt(pattern.lastIndex) ?? 0) > 0xffff ? 2 : 1;
      continue;
    }
    matches.push([start, start + found[0].length]);
    if (reach !== undefined) last = Math.min(last, (matches[0] as Match)[0] + reach);
  }
}

/** Two terms can match at the same position, like `bar` and `barn`. Overlapping matches are joined. */
function withoutOverlaps(matches: Match[]): Match[] {
  matches.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const joined: Match[] = [];
  for (const [start, end] of matches) {
    const before = joined.at(-1);
    if (before !== undefined && start < before[1]) joined[joined.length - 1] = [before[0], Math.max(before[1], end)];
    else joined.push([start, end]);
  }
  return joined;
}
