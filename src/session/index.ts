/**
 * Session trees: one append-only file, one tree, one leaf. The door of `bough/session`, which depends on nothing but
 * Node.
 */

export * from "../context/index.js";
export * from "../entry/index.js";
export {
  type AnnounceOptions,
  announcePresence,
  type Durability,
  type Presence,
  type PresenceList,
  type PresenceMode,
  type PresenceRecord,
  type PresentRecord,
  type ProcessIdentity,
  type ReadPresenceOptions,
  readPresence,
  type StaleRecord,
} from "../log/index.js";
export { AnswerDraft, addPiece, claimDrafts, type DraftHead, type DraftPiece, type LeftDraft } from "./answer-draft.js";
export {
  type ArchivedSession,
  type ArchiveOptions,
  type ArchiveOutcome,
  archiveRoot,
  archiveSession,
  listArchived,
  type RestoreOutcome,
  restoreSession,
} from "./archive-session.js";
export type { FollowEvent, FollowOptions } from "./follow-session.js";
export type { SessionCounts } from "./list/count-log.js";
export {
  type Countable,
  type CountOptions,
  type CountOutcome,
  type CountProgress,
  countable,
  countWithin,
} from "./list/count-within.js";
export type { CountedPlace } from "./list/counts-cache.js";
export type { ImportedFrom } from "./list/end-records.js";
export type { SessionCost } from "./list/line-usage.js";
export { type ListOptions, listAllSessions, listSessions, type OnListProgress } from "./list-sessions.js";
export { boughHome, countsCacheFile, isOwnSessionFile, sessionFolder, sessionsRoot } from "./locations.js";
export type { EntryPath } from "./memory/lazy-path.js";
export { setSessionMemory } from "./memory/memory-budget.js";
export { findMostRecentSession } from "./most-recent.js";
export type { ReadOnlyReason } from "./open/open-log.js";
export type { ChangeReason, DroppedBytes, FileChange, RepairChange, RepairReport } from "./repair/repair-report.js";
export { type RepairOptions, repairSession } from "./repair-session.js";
export { LEAST_PREFIX } from "./resolve-entry.js";
export { type MatchOptions, matchByIdOrName, resolveSession, type SessionPlaces } from "./resolve-session.js";
export { loadEntriesFromFile } from "./scan/load-entries.js";
export type { HitState } from "./search/branch-states.js";
export type { Match } from "./search/match/matcher.js";
export { createMayHold, type MayHold, type MayHoldOptions, type MayHoldSource } from "./search/match/may-hold.js";
export type { SearchHit, SearchProblem } from "./search/search-hit.js";
export { type SearchOptions, type SearchProgress, searchSessions } from "./search-sessions.js";
export { countSession, exactSessionInfo, type SessionInfo, withCounts } from "./session-info.js";
export { type NewSessionOptions, SessionManager } from "./session-manager.js";
export { type SessionOptions, validClock } from "./session-options.js";
export { downwards, pathBelow, upwards, type WalkedSession } from "./session-walk.js";
export type { NewEntryFields, SessionWriter, UsageRecord } from "./session-writer.js";
export type { SessionTreeNode } from "./tree-node.js";
export { type FindingLevel, findingLevel } from "./verify/findings.js";
export type { WalkOptions } from "./verify/walk-lines.js";
export { type VerifyOptions, type VerifyReport, verifySession } from "./verify-session.js";
