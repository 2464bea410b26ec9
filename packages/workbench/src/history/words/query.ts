/** What someone looks for: words and phrases, all of which have to be in a text. */
import { filterKeys } from "./word-filter.js";
import { lowered, SHORTEST_START, startsWord } from "./word-keys.js";

type Span = readonly [start: number, end: number];

export interface Query {
  /** As they are looked for, lower case. */
  readonly terms: readonly string[];
  /** All keys of all terms: what a filter has to hold. */
  readonly keys: readonly number[];
  /** Where the terms are in a text; undefined where one is missing. */
  find(text: string): readonly Span[] | undefined;
  /** How many of the terms are in a text. */
  count(text: string): number;
}

const MOST_TERMS = 24;
const LONGEST_TERM = 200;

/**
 * `merge conflict`: both words, in any order. `"merge conflict"`: the phrase; a blank in it is any white space. A word
 * is found where a word, or a part of an identifier, starts with it, in upper or lower case; one of less than four
 * characters only as a whole word or part.
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
    count: (given) => {
      const lower = lowered(given);
      return finders.filter((find) => find(given, lower) !== undefined).length;
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
