/** What front ends use of syncing, beside the commands. */
export { addedSentence, cameFrom, cameLines, withBranches } from "./sync/arrival-sentences.js";
export { continueAfter } from "./sync/continue-after.js";
export { fetchWatched, openFetched, openStored } from "./sync/open-stored.js";
export { originsOf } from "./sync/origins-of.js";
export { findingLines } from "./sync/secret-sentences.js";
export { SessionSync } from "./sync/session-sync.js";
export { awaySentence, backSentence } from "./sync/store-sentences.js";
export {
  chosenStore,
  fetchStored,
  looksInStore,
  type SessionsNotHere,
  type StorePlaces,
  sessionsNotHere,
  storedSessions,
  withStore,
} from "./sync/stored-sessions.js";
