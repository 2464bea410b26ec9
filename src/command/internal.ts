/** What front ends use of syncing, beside the commands. */
export { addedSentence, cameFrom, cameLines, withBranches } from "./sync/arrival-sentences.js";
export { fetchWatched, openFetched, openStored } from "./sync/open-stored.js";
export { originsOf } from "./sync/origins-of.js";
export { SessionSync } from "./sync/session-sync.js";
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
