/** A search query: words and phrases that must all occur in a text. */
import { filterKeys } from "./word-filter.js";
import { lowered, SHORTEST_START, startsWord } from "./word-keys.js";

type Span = readonly [start: number, end: number];

export interface Query {
  /** In lower case. */
  readonly terms: readonly string[];
  /** All filter keys of all terms. */
  readonly keys: readonly number[];
  /** Ranges of the terms in a text; undefined if one is missing. */
  find(text: string): readonly Span[] | undefined;
}

const MOST_TERMS = 24;
const LONGEST_TERM = 200;

/**
 * `merge conflict`: both words, in any order. `"merge conflict"`: the phrase; a space matches any whitespace. A term
 * matches, in any case, at the start of a word or of a part of an identifier; a term of fewer than four characters
 * matches only a whole word or part.
 */
export function parseQuery(text: string): Query {
  const terms = termsOf(text);
  const finders = terms.map(finderOf);
  return {
    terms,
    keys: filterKeys(terms),
    find: (given) => {
      const lower = lowered(given);
      const spans: Span[] = [];
      for (const find of finders) {
        const span = find(given, lower);
        if (span === undefined) return undefined;
        spans.push(span);
      }
      return spans.sort((a, b) => a[0] - b[0]);
    },
  };
}

function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const [, phrase, word] of text.matchAll(/"([^"]*)"?|(\S+)/g)) {
    const term = (phrase ?? word ?? "").trim().replace(/\s+/g, " ").slice(0, LONGEST_TERM);
    if (/[\p{L}\p{N}]/u.test(term)) terms.add(lowered(term));
    if (terms.size >= MOST_TERMS) break;
  }
  return [...terms];
}

type Finder = (text: string, lower: string) => Span | undefined;

function finderOf(term: string): Finder {
  if (term.includes(" ")) {
    const pattern = new RegExp(term.split(" ").map(escaped).join("\\s+"), "gu");
    return (text, lower) => {
      for (const match of lower.matchAll(pattern)) {
        if (startsWord(text, match.index)) return [match.index, match.index + match[0].length];
      }
      return undefined;
    };
  }
  const isShort = term.length < SHORTEST_START;
  return (text, lower) => {
    for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + 1)) {
      const end = at + term.length;
      if (startsWord(text, at) && (!isShort || end === text.length || startsWord(text, end))) return [at, end];
    }
    return undefined;
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
