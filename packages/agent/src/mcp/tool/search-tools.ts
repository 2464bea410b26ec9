/**
 * Finds tools by words. A rare word counts more than a common one, and a word in a name more than one in a description.
 * The exact name of a tool always comes first; the name of a server finds its tools.
 */
import { isRecord } from "@bough/session/text/index.js";
import type { ServerTool } from "./listed-tools.js";

interface FoundTools {
  /** Best first. */
  readonly tools: readonly ServerTool[];
  /** Words of the query that no tool has. */
  readonly unknown: readonly string[];
}

const WEIGHTS = { name: 4, server: 2, description: 1.5, fields: 1 } as const;
/** A word that only begins like the one asked for. */
const PREFIX_WEIGHT = 0.5;
const SHORTEST_PREFIX = 4;
const EXACT = 1_000;

const STOP_WORDS = new Set(
  [
    "a",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "by",
    "can",
    "do",
    "for",
    "from",
    "how",
    "i",
    "in",
    "is",
    "it",
  ].concat([
    "me",
    "my",
    "need",
    "of",
    "on",
    "or",
    "some",
    "that",
    "the",
    "this",
    "to",
    "tool",
    "use",
    "want",
    "which",
    "with",
  ]),
);

/** All tools that have one of the words. */
export function searchTools(tools: readonly ServerTool[], query: string): FoundTools {
  const index = indexOf(tools);
  const all = [...new Set(wordsIn(query))];
  const rare = all.filter((word) => !STOP_WORDS.has(word));
  const words = (rare.length === 0 ? all : rare).slice(0, 50);
  const named = new Set(query.toLowerCase().split(/[\s,;"'`]+/));
  const scores = new Map<number, number>();
  const add = (at: number, score: number) => scores.set(at, (scores.get(at) ?? 0) + score);
  const unknown: string[] = [];
  for (const word of words) {
    const hits = index.hits(word);
    if (hits.size === 0) unknown.push(word);
    const rarity = Math.log(1 + tools.length / Math.max(1, hits.size));
    for (const [at, weight] of hits) add(at, weight * rarity);
  }
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

  constructor(tools: readonly ServerTool[]) {
    for (const [at, { server, tool, description, parameters }] of tools.entries()) {
      this.#add(at, tool, WEIGHTS.name);
      this.#add(at, server, WEIGHTS.server);
      this.#add(at, description, WEIGHTS.description);
      const { properties } = parameters;
      for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) {
        const about = isRecord(field) && typeof field.description === "string" ? field.description : "";
        this.#add(at, `${name} ${about}`, WEIGHTS.fields);
      }
    }
  }

  hits(word: string): ReadonlyMap<number, number> {
    const exact = this.#places.get(word);
    if (exact !== undefined || word.length < SHORTEST_PREFIX) return exact ?? new Map();
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

const indexes = new WeakMap<readonly ServerTool[], WordIndex>();

function indexOf(tools: readonly ServerTool[]): WordIndex {
  const known = indexes.get(tools);
  if (known !== undefined) return known;
  const made = new WordIndex(tools);
  indexes.set(tools, made);
  return made;
}

/** Lower case, with `camelCase` and `snake_case` split, and plurals made singular. */
function wordsIn(text: string): string[] {
  const parts = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.map((part) => singular(part.toLowerCase()));
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
