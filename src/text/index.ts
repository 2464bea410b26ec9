/** Text and small values, for every room: safe to print, short, compared, tidied. No word of the domain. Pure. */
export { attempt } from "./attempt.js";
export { closestNames, editDistance } from "./closest-name.js";
export { defined } from "./defined.js";
export { errorText } from "./error-text.js";
export { fenced, longestBacktickRun } from "./fenced.js";
export { firstWords, titleOf } from "./first-words.js";
export { isObject, isRecord } from "./is-record.js";
export { namedPaths } from "./named-paths.js";
export { nextOf } from "./next-of.js";
export { jsonObject, parsedJson } from "./parse-json.js";
export { type Protection, protectionOf } from "./protected-path.js";
export { withoutControls } from "./safe-text.js";
export { shellWord } from "./shell-word.js";
export { counted, grouped, longAge, shortAge, shortBytes, shortCost, shortCount } from "./short-amounts.js";
export { shownPath } from "./shown-path.js";
export { inOneGo, type Steps } from "./steps.js";
export { visibleText } from "./visible-text.js";
export { wordMatcher } from "./word-matcher.js";
