/** What front ends use besides the commands: the sync helpers, and where a setting comes from. */
export { settingSourceWord } from "./program/setting-source-word.js";
export { fetchWatched, openFetched, openStored } from "./sync/open-stored.js";
export { originsOf } from "./sync/origins-of.js";
