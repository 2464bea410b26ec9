/** What front ends use of syncing, beside the commands. */
export { fetchWatched, openFetched, openStored } from "./sync/open-stored.js";
export { originsOf } from "./sync/origins-of.js";
