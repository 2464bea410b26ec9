/**
 * The conversation that every made-up transcript tells: what a person and a model say to each other, with calls and
 * results, as the real-sized sessions of the benchmark have them.
 *
 * @typedef {{ type: string, text?: string, thinking?: string, thinkingSignature?: string, id?: string, name?: string, arguments?: unknown }} Block
 * @typedef {{
 *   role: "user" | "assistant" | "toolResult", content: Block[], toolCallId?: string, isError?: boolean,
 *   usage?: { input: number, output: number, cacheRead: number, totalTokens: number }, time: string,
 * }} Said
 */
import { conversation } from "../conversation.mjs";
import { isoTime, timeOf } from "../draft.mjs";
import { seededRandom } from "../random.mjs";

/** Endless. @param {number} seed @returns {Generator<Said & { place: number }, never, void>} */
export function* workSession(seed) {
  const talk = conversation({ text: "real", random: seededRandom(seed) });
  for (let place = 0; ; place++) {
    yield { ...JSON.parse(talk.next(timeOf(place)).json), time: isoTime(place), place };
  }
}

/** A UUID for a position, the same every time. @param {number} place */
export function uuidAt(place) {
  const digits = place.toString(16).padStart(12, "0");
  return `00000000-0000-4000-8000-${digits}`;
}

/** The text of all text blocks. @param {Said} said */
export function textOf(said) {
  return said.content.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : [])).join("\n");
}
