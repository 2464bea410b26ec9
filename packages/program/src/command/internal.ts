/** What front ends use besides the commands: the sync helpers, and what several of them say. */
export { settingSourceWord } from "./program/setting-source-word.js";
export { savedSentence } from "./session/saved-sentence.js";
export { fetchWatched, openFetched, openStored } from "./sync/open-stored.js";
export { originsOf } from "./sync/origins-of.js";
