/**
 * Finds tools by words. A rare word counts more than a common one, a word in a name more than one in a description, and
 * a word itself more than another word for the same thing. The exact name of a tool always comes first; the name of a
 * server finds its tools.
 */
import { isRecord } from "@bough/session/text/index.js";
import type { ServerTool } from "./listed-tools.js";
import { relatedWords } from "./related-words.js";

interface FoundTools {
  /** Best first. */
  readonly tools: readonly ServerTool[];
  /** Words of the query that no tool has. */
  readonly unknown: readonly string[];
}

const WEIGHTS = { name: 4, server: 2, description: 1.5, fields: 1, about: 1 } as const;
/** Another word for the one asked for. */
const RELATED_WEIGHT = 0.7;
/** A word that only begins like the one asked for. */
const PREFIX_WEIGHT = 0.5;
const SHORTEST_PREFIX = 4;
const EXACT = 1_000;
const MOST_WORDS = 50;
/** How much it counts to have many of the words. */
const COVERAGE = 0.5;

const STOP_WORDS = new Set(
  (
    "a an and any are as at be been but by can could did do does for from had has have how i if in into is it its me my need " +
    "of on or our please should so some someone than that the their them then there these they this those to tool us use want was we were what when where which who why will with would you your"
  ).split(" "),
);

/** What the settings say servers are for, by name. */
export type ServerDescriptions = ReadonlyMap<string, string>;

/** All tools that have one of the words. */
export function searchTools(tools: readonly ServerTool[], query: string, about?: ServerDescriptions): FoundTools {
  const index = indexOf(tools, about);
  const said = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const telling = said.filter((word) => !STOP_WORDS.has(word));
  const asked = (telling.length === 0 ? said : telling).slice(0, MOST_WORDS);
  const named = new Set(query.toLowerCase().split(/[\s,;"'`]+/));
  const scores = new Map<number, number>();
  const add = (at: number, score: number) => scores.set(at, (scores.get(at) ?? 0) + score);
  const hits = new Map<number, number>();
  const unknown = asked.filter((word) => {
    const best = index.scoresOf(stemOf(word));
    for (const [at, score] of best) add(at, score);
    for (const at of best.keys()) hits.set(at, (hits.get(at) ?? 0) + 1);
    return best.size === 0;
  });
  // A tool with two of the words is closer than one with the rarer of them.
  const known = asked.length - unknown.length;
  for (const [at, score] of scores) scores.set(at, score * ((hits.get(at) ?? 0) / known) ** COVERAGE);
  for (const [at, { server, tool, name }] of tools.entries()) {
    const names = [tool, name, `${server}/${tool}`].map((one) => one.toLowerCase());
    if (names.some((one) => named.has(one))) add(at, EXACT);
    else if (named.has(server.toLowerCase())) add(at, Math.log(1 + tools.length));
  }
  const ranked = [...scores].sort(([a, x], [b, y]) => y - x || a - b);
  return { tools: ranked.map(([at]) => tools[at] as ServerTool), unknown };
}

/** Words and the tools that have them, with the weight of the best place. */
class WordIndex {
  readonly #places = new Map<string, Map<number, number>>();
  readonly #size: number;

  constructor(tools: readonly ServerTool[], about: ServerDescriptions = new Map()) {
    this.#size = tools.length;
    for (const [at, { server, tool, description, parameters }] of tools.entries()) {
      this.#add(at, tool, WEIGHTS.name);
      this.#add(at, server, WEIGHTS.server);
      this.#add(at, about.get(server) ?? "", WEIGHTS.about);
      this.#add(at, description, WEIGHTS.description);
      const { properties } = parameters;
      for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
        const about = isRecord(field) && typeof field.description === "string" ? field.description : "";
        this.#add(at, `${name} ${about}`, WEIGHTS.fields);
      }
    }
  }

  /** For each tool with the word or one related to it, what its best place counts. */
  scoresOf(word: string): ReadonlyMap<number, number> {
    const best = new Map<number, number>();
    const note = (hits: ReadonlyMap<number, number>, factor: number) => {
      const rarity = Math.log(1 + this.#size / Math.max(1, hits.size));
      for (const [at, weight] of hits) best.set(at, Math.max(best.get(at) ?? 0, weight * rarity * factor));
    };
    note(this.#places.get(word) ?? NO_HITS, 1);
    for (const other of relatedWords(word, wordsIn)) note(this.#places.get(other) ?? NO_HITS, RELATED_WEIGHT);
    if (best.size === 0) note(this.#beginsLike(word), 1);
    return best;
  }

  #beginsLike(word: string): ReadonlyMap<number, number> {
    if (word.length < SHORTEST_PREFIX) return NO_HITS;
    const found = new Map<number, number>();
    for (const [known, places] of this.#places) {
      if (known.length < SHORTEST_PREFIX || !(known.startsWith(word) || word.startsWith(known))) continue;
      for (const [at, weight] of places) found.set(at, Math.max(found.get(at) ?? 0, weight * PREFIX_WEIGHT));
    }
    return found;
  }

  #add(at: number, text: string, weight: number): void {
    for (const word of wordsIn(text)) {
      const places = this.#places.get(word) ?? new Map<number, number>();
      this.#places.set(word, places);
      places.set(at, Math.max(places.get(at) ?? 0, weight));
    }
  }
}

const NO_HITS: ReadonlyMap<number, number> = new Map();
const indexes = new WeakMap<readonly ServerTool[], WordIndex>();

function indexOf(tools: readonly ServerTool[], about?: ServerDescriptions): WordIndex {
  const known = indexes.get(tools);
  if (known !== undefined) return known;
  const made = new WordIndex(tools, about);
  indexes.set(tools, made);
  return made;
}

/** Lower case, with `camelCase` and `snake_case` split, each as its stem. */
function wordsIn(text: string): string[] {
  const parts = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.map((part) => stemOf(part.toLowerCase()));
}

/** The same for the forms of an English word: `merges`, `merged` and `merging`. It need not be a word. */
function stemOf(word: string): string {
  const one = singular(word);
  const root = one.length > 5 ? one.replace(/(?:ing|ed)$/, "") : one;
  const whole = root.length < 3 || !/[aeiouy]/.test(root) ? one : root;
  // `stopped` is `stop`, `archived` is `archive`.
  const short = whole === one ? one : whole.replace(/([bdgmnprt])\1$/, "$1");
  return short.length > 3 ? short.replace(/e$/, "") : short;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
