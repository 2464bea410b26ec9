/**
 * A question in somebody's own words: each word finds its other forms (`retries` finds `retrying`), an identifier finds
 * its parts (`verifyToken` finds `verify_token`), and words for the same thing count a little.
 */
import { kindredOf } from "./kindred-words.js";
import { isStopWord } from "./stop-words.js";
import { filterKeys, mayHold } from "./word-filter.js";
import { lowered, SHORTEST_START, startsWord } from "./word-keys.js";
import { stemOf } from "./word-stem.js";

export interface IdeaTerm {
  /** As it was asked, in lower case. */
  readonly text: string;
  /** How well a text has it: 1 for the word itself, less for other forms and kindred words, 0 for none of them. */
  strength(text: string, lower: string): number;
  /** Whether a filter's texts can have it, or a kindred word. */
  mayBeIn(filter: Uint8Array): boolean;
  /** Whether a filter's texts can have the word itself, in any form. */
  mayBeItselfIn(filter: Uint8Array): boolean;
}

const FORM = 0.9;
const PARTS = 0.7;
/** The strength of a kindred word. More than that is the word itself, or a part of it. */
export const KINDRED = 0.35;
const MOST_TERMS = 24;
const LONGEST_TERM = 400;

export interface Idea {
  /** Words and phrases that an attempt must have to be all of it. */
  readonly exact: readonly string[];
  /** The same words one by one: an attempt that has some of them is close. */
  readonly terms: readonly IdeaTerm[];
}

/** Without stop words unless the question has nothing else. A phrase in quotes is exact as a whole. */
export function ideaOf(question: string): Idea {
  const pieces = [...question.matchAll(/"([^"]*)"?|(\S+)/g)].map(([, phrase, word]) => trimmed(phrase ?? word ?? ""));
  const words = pieces.flatMap((piece) => piece.split(/\s+/).map(trimmed)).filter(Boolean);
  const wanted = words.filter((word) => !isStopWord(lowered(word)));
  const terms = new Map<string, IdeaTerm>();
  for (const word of (wanted.length > 0 ? wanted : words).slice(0, MOST_TERMS)) terms.set(lowered(word), termOf(word));
  const exact = pieces.map((piece) => lowered(piece).replace(/\s+/g, " "));
  return { exact: exact.filter((piece) => piece.includes(" ") || terms.has(piece)), terms: [...terms.values()] };
}

/** Without punctuation around it; empty if it is nothing else. */
function trimmed(text: string): string {
  const word = text.slice(0, LONGEST_TERM).replace(/^[^\p{L}\p{N}_$@]+|[^\p{L}\p{N}_$]+$/gu, "");
  return /[\p{L}\p{N}]/u.test(word) ? word : "";
}

/** Keeps the upper case of identifiers, which shows their parts. */
function termOf(text: string): IdeaTerm {
  const whole = lowered(text).replace(/\s+/g, " ");
  const parts = partsOf(text);
  return parts.length > 1 || whole !== parts[0] ? compoundTerm(whole, parts) : wordTerm(whole);
}

/** `verifyToken`: verify, token. `net/retry_loop.ts`: net, retry, loop, ts. */
function partsOf(text: string): readonly string[] {
  const spaced = text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return [...new Set(lowered(spaced).match(/[\p{L}\p{N}]+/gu) ?? [])];
}

function wordTerm(word: string): IdeaTerm {
  const own = formOf(word);
  const others = kindredOf(word).map(formOf);
  const keys = [own, ...others].flatMap((form) => form.keys);
  return {
    text: word,
    strength: (text, lower) => {
      const found = own.strength(text, lower);
      if (found > 0) return found;
      return others.some((form) => form.strength(text, lower) > 0) ? KINDRED : 0;
    },
    mayBeIn: (filter) => keys.some((one) => mayHold(filter, one)),
    mayBeItselfIn: (filter) => own.keys.some((one) => mayHold(filter, one)),
  };
}

function compoundTerm(whole: string, parts: readonly string[]): IdeaTerm {
  const words = parts.filter((part) => part.length > 1 && !isStopWord(part)).map(formOf);
  const mayBeIn: IdeaTerm["mayBeIn"] = (filter) =>
    words.length === 0
      ? mayHold(filter, filterKeys([whole]))
      : words.some(({ keys }) => keys.some((one) => mayHold(filter, one)));
  const joined = new RegExp(parts.map(escaped).join("[^\\p{L}\\p{N}]{0,3}"), "gu");
  return {
    text: whole,
    strength: (text, lower) => {
      for (const match of lower.matchAll(joined)) if (startsWord(text, match.index)) return 1;
      if (words.length === 0) return 0;
      const found = words.filter((word) => word.strength(text, lower) > 0).length;
      // One part of many, such as `exception`, says nothing.
      return found * 2 < words.length ? 0 : (PARTS * found * found) / (words.length * words.length);
    },
    mayBeIn,
    mayBeItselfIn: mayBeIn,
  };
}

interface Form {
  /** Filter keys of the texts that have it, for each way its forms may start. */
  readonly keys: readonly (readonly number[])[];
  readonly strength: IdeaTerm["strength"];
}

/** A word with all its forms, found by their common start; one with a short start by each of its forms. */
function formOf(word: string): Form {
  const stem = stemOf(word);
  const singular = /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  const forms = stem.length >= SHORTEST_START ? [stem, singular] : [word, singular, stem, `${stem}s`];
  const starts = [...new Set(forms)];
  return {
    keys: starts.map((start) => filterKeys([start])),
    strength: (text, lower) => {
      let best = 0;
      for (const start of starts) {
        for (let at = lower.indexOf(start); at >= 0; at = lower.indexOf(start, at + 1)) {
          if (!startsWord(text, at)) continue;
          const found = lower.slice(at, wordEnd(text, at + start.length));
          if (found === word) return 1;
          if (word.length >= SHORTEST_START && lower.startsWith(word, at)) best = 1;
          else if (found === singular || stemOf(found) === stem) best = Math.max(best, FORM);
        }
      }
      return best;
    },
  };
}

/** Where a word or a part of an identifier ends. */
function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !startsWord(text, at)) at += 1;
  return at;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
