/** What front ends use of syncing, beside the commands. */
export { addedSentence, cameFrom, cameLines, withBranches } from "./sync/arrival-sentences.js";
export { originsOf } from "./sync/origins-of.js";
export { SessionSync } from "./sync/session-sync.js";
