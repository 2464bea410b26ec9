/** Resolves what a user typed to a session: Bough's own, another agent's, an archived one, or one in the store. */
export {
  type ArchivedSession,
  archivedSession,
  archivedSessions,
  findArchivedSession,
} from "./archived-session.js";
export { findEntry } from "./find-entry.js";
export { type AskStore, type FindSessionOptions, type FoundSession, findSession } from "./find-session.js";
export { checkSessionDir, foreignInFile, importFirst, isFile } from "./foreign-session.js";
export {
  type ForeignMatch,
  findToImport,
  foreignFileAt,
  type MatchForeignOptions,
  matchForeign,
  type ToImportOptions,
} from "./match-foreign.js";
export { newestSession } from "./newest-session.js";
export { type SeveralOptions, severalSessions } from "./several-sessions.js";
export { type SyncedIds, type SyncedIdsOptions, syncedIds } from "./synced-ids.js";
