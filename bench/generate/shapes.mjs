/**
 * The shapes of a session. Each is a step that writes one entry and can be taken for ever.
 *
 * @typedef {(draft: import("./draft.mjs").Draft) => string} Step
 */
import { bushy } from "./bushy.mjs";
import { say, write } from "./draft.mjs";

/** @type {Readonly<Record<import("./session-lines.mjs").Shape, () => Step>>} */
export const SHAPES = { linear: () => linear, bushy, siblings: () => siblings, deep: () => deep };

/** One straight conversation whose model and thinking level are set once, at the very top. @type {Step} */
function linear(draft) {
  if (draft.place === 0) return write(draft, "model_change", '"provider":"anthropic","modelId":"claude-sonnet-4-5"');
  if (draft.place === 1) return write(draft, "thinking_level_change", '"thinkingLevel":"medium"');
  return say(draft).line;
}

/** A chain of messages and nothing else. @type {Step} */
function deep(draft) {
  return say(draft).line;
}

/** A prompt, an answer, and then every further entry is another child of that answer. @type {Step} */
function siblings(draft) {
  if (draft.place >= 2) {
    draft.leaf = 1;
    draft.talk.restart();
  }
  return say(draft).line;
}
