/**
 * Session trees: one append-only file, one tree, one leaf. The door of `bough/session`, which depends on nothing but
 * Node.
 */
export * from "../context/index.js";
export * from "../entry/index.js";
export {
  type AnnounceOptions,
  announcePresence,
  type Presence,
  type PresenceList,
  type PresenceMode,
  type PresenceRecord,
  type PresentRecord,
  readPresence,
} from "../log/index.js";
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
export { type ListOptions, listAllSessions, listSessions, type OnListProgress } from "./list-sessions.js";
export { loadEntriesFromFile } from "./load-entries.js";
export { boughHome, sessionFolder, sessionsRoot } from "./locations.js";
export { findMostRecentSession } from "./most-recent.js";
export type { ReadOnlyReason } from "./open-log.js";
export type { ChangeReason, DroppedBytes, FileChange, RepairChange, RepairReport } from "./repair/repair-report.js";
export { type RepairOptions, repairSession } from "./repair-session.js";
export type { HitState } from "./search/branch-states.js";
export type { SearchHit, SearchProblem } from "./search/search-hit.js";
export { type SearchOptions, type SearchProgress, searchSessions } from "./search-sessions.js";
export { exactSessionInfo, type SessionInfo } from "./session-info.js";
export { type NewSessionOptions, SessionManager } from "./session-manager.js";
export type { SessionOptions } from "./session-options.js";
export type { UsageRecord } from "./session-writer.js";
export type { SessionTreeNode } from "./tree-node.js";
export { type FindingLevel, findingLevel } from "./verify/findings.js";
export { type VerifyOptions, type VerifyReport, verifySession } from "./verify-session.js";
