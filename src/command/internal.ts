/** What front ends use of syncing, beside the commands. */
export { addedSentence, cameFrom, cameLines, withBranches } from "./sync/arrival-sentences.js";
export { SessionSync } from "./sync/session-sync.js";
