/**
 * A session file in the making: where the next entry goes and what stands above it.
 *
 * @typedef {{
 *   seed: number,
 *   random: import("./random.mjs").Random,
 *   talk: import("./conversation.mjs").Conversation,
 *   place: number,
 *   leaf: number,
 *   bytes: number,
 *   parent: number,
 *   lastType: string,
 *   lastRole: string,
 * }} Draft
 *
 * `place` counts the entries written; `leaf` is the place of the entry the next one hangs from, -1 before the first.
 * `parent`, `lastType` and `lastRole` tell about the entry written last.
 */
import { conversation } from "./conversation.mjs";
import { entryId } from "./random.mjs";
import { textPool } from "./text.mjs";

const START = Date.UTC(2025, 0, 6, 9, 0, 0);

/** A few seconds apart, so that a million entries fit into a year. @param {number} place */
export function timeOf(place) {
  return START + place * 7013;
}

/** @param {number} place */
export function isoTime(place) {
  return new Date(timeOf(place)).toISOString();
}

/**
 * @param {import("./session-lines.mjs").Recipe} recipe
 * @param {import("./random.mjs").Random} random
 * @returns {Draft}
 */
export function startDraft(recipe, random) {
  const { text, needles = [], seed = 1 } = recipe;
  const talk = conversation({ text, random, needles });
  return { seed, random, talk, place: 0, leaf: -1, bytes: 0, parent: -1, lastType: "", lastRole: "" };
}

/**
 * One line: an entry under the leaf, which becomes the leaf.
 *
 * @param {Draft} draft
 * @param {string} type
 * @param {string} fields JSON text of the fields after the first four
 */
export function write(draft, type, fields) {
  const { seed, place, leaf } = draft;
  const parent = leaf < 0 ? "null" : `"${entryId(seed, leaf)}"`;
  const line = `{"type":"${type}","id":"${entryId(seed, place)}","parentId":${parent},"timestamp":"${isoTime(place)}",${fields}}\n`;
  draft.parent = leaf;
  draft.leaf = place;
  draft.place++;
  draft.lastType = type;
  draft.lastRole = "";
  draft.bytes += Buffer.byteLength(line);
  return line;
}

/**
 * The next message of the conversation as an entry under the leaf.
 *
 * @param {Draft} draft
 * @returns {{ line: string, endsTurn: boolean }}
 */
export function say(draft) {
  const { json, role, endsTurn } = draft.talk.next(timeOf(draft.place));
  const line = write(draft, "message", `"message":${json}`);
  draft.lastRole = role;
  return { line, endsTurn };
}

/** A summary of some work as escaped text. @param {import("./random.mjs").Random} random */
export function summaryText(random) {
  const { prose } = textPool();
  const part = (/** @type {string} */ title) =>
    `## ${title}\\n${random.pick(prose)}${random.pick(prose)}${random.pick(prose)}\\n\\n`;
  return part("Goal") + part("Progress") + part("Key Decisions") + part("Next Steps") + part("Critical Context");
}
