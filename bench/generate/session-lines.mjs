/**
 * The lines of a made-up session file, version 3, as Bough writes them: `type`, `id`, `parentId`, `timestamp` first.
 *
 * The same recipe always gives the same bytes. Parents always stand before their children.
 *
 * @typedef {"linear" | "bushy" | "siblings" | "deep"} Shape
 * @typedef {{
 *   shape: Shape,
 *   text: "small" | "real",
 *   entries: number,
 *   seed?: number,
 *   bytes?: number,
 *   compacted?: boolean,
 *   cwd?: string,
 *   needles?: readonly import("./conversation.mjs").Needle[],
 * }} Recipe
 *
 * `bytes` ends the file with the first entry that passes it (`entries` may then be Infinity). `compacted` puts one
 * compaction 30 entries above the leaf and makes the last 60 entries say the same for every size, so that the context
 * at the leaf is the same too.
 */
import { conversation } from "./conversation.mjs";
import { isoTime, say, startDraft, summaryText, write } from "./draft.mjs";
import { entryId, seededRandom, sessionId } from "./random.mjs";
import { SHAPES } from "./shapes.mjs";

/** Goes up with every change to the bytes this makes, so that older generated files are not taken for current ones. */
export const GENERATOR_VERSION = 1;

const TAIL = 60;
const AFTER_COMPACTION = 30;
const SUMMARISED = 8;

/**
 * @param {Recipe} recipe
 * @returns {Generator<string, void, void>}
 */
export function* sessionLines(recipe) {
  const { shape, entries, compacted = false, bytes = Number.POSITIVE_INFINITY, seed = 1 } = recipe;
  const random = seededRandom(seed);
  const cwd = JSON.stringify(recipe.cwd ?? "/home/dev/project");
  yield `{"type":"session","version":3,"id":"${sessionId(random)}","timestamp":"${isoTime(0)}","cwd":${cwd}}\n`;
  const draft = startDraft(recipe, random);
  const end = compacted ? entries - TAIL : entries;
  const step = SHAPES[shape]();
  while (draft.place < end && draft.bytes < bytes) yield step(draft);
  if (compacted) yield* compactedTail(recipe, draft);
}

/**
 * The id of the entry that stands at a place (0 is the first after the header) in the file of a recipe.
 *
 * @param {Recipe} recipe
 * @param {number} place
 */
export function idAt(recipe, place) {
  return entryId(recipe.seed ?? 1, place);
}

/**
 * Messages as objects, for cases that append them.
 *
 * @param {{ text: "small" | "real", count: number, seed?: number }} options
 * @returns {Array<Record<string, unknown>>}
 */
export function messages({ text, count, seed = 5 }) {
  const talk = conversation({ text, random: seededRandom(seed) });
  return Array.from({ length: count }, (_, index) => JSON.parse(talk.next(Date.UTC(2025, 0, 6) + index * 1000).json));
}

/**
 * @param {Recipe} recipe
 * @param {import("./draft.mjs").Draft} draft
 */
function* compactedTail(recipe, draft) {
  const random = seededRandom(77);
  const tail = { ...draft, random, talk: conversation({ text: recipe.text, random }) };
  const start = tail.place;
  let firstKept = -1;
  while (tail.place < start + TAIL - AFTER_COMPACTION - 1) {
    yield say(tail).line;
    if (firstKept < 0 && tail.lastRole === "user" && tail.leaf >= start + SUMMARISED) firstKept = tail.leaf;
  }
  const kept = firstKept < 0 ? "" : `"firstKeptEntryId":"${entryId(tail.seed, firstKept)}",`;
  yield write(tail, "compaction", `"summary":"${summaryText(random)}",${kept}"tokensBefore":150000`);
  tail.talk.restart();
  while (tail.place < start + TAIL) yield say(tail).line;
}
