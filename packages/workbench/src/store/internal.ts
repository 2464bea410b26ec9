/** What other rooms need of stores, without loading a driver. */

export { entryOrigins, OriginReader } from "@bough/session/session/internal.js";
export { addCheckedStore, withoutNextSync } from "./add-checked-store.js";
export { isTranscript } from "./agent-sdk/agent-sdk-line.js";
export { SessionSync, type SessionSyncOptions } from "./attach/session-sync.js";
export { continueAfter } from "./continue-after.js";
export { isSameMark, type Mark, markAt } from "./file-cursor.js";
export { checkStoreName } from "./named-stores.js";
export { looksLikeAddress } from "./shown-address.js";
export type { Replica } from "./store.js";
export { absoluteAddress, isSentInClearText } from "./store-address.js";
export { isPassing } from "./store-error.js";
export { type StoreSettings, SYNC_MODES, type SyncMode, storeSettings } from "./store-settings.js";
export {
  chosenStore,
  type FetchOutcome,
  fetchStored,
  looksInStore,
  matchStored,
  type SessionsNotHere,
  type StorePlaces,
  sessionsNotHere,
  storedFacts,
  storedSessions,
  withStore,
} from "./stored-sessions.js";
export { unpushedIn } from "./sync/push-session.js";
export { NEW_STATE } from "./sync/sync-state.js";
export { addedHereSentence, addedSentence, cameFrom, cameLines, withBranches } from "./words/arrival-sentences.js";
export { findingLines } from "./words/secret-sentences.js";
export { awaySentence, backSentence } from "./words/store-sentences.js";
