/**
 * Session trees: one append-only file, one tree, one leaf. The door of `bough/session`, which depends on nothing but
 * Node.
 */

export {
  buildSessionContext,
  getLatestCompactionEntry,
  type SessionContext,
  type SessionState,
} from "../context/index.js";
export {
  type AgentMessage,
  type AssistantMessage,
  type BranchSummaryEntry,
  type CodedErrorOptions,
  type CompactionEntry,
  type ContextReplacement,
  CURRENT_SESSION_VERSION,
  type CustomEntry,
  type CustomMessageEntry,
  type EntryId,
  ERROR_CODES,
  type ErrorCode,
  type FileEntry,
  type ImageBlock,
  type Label,
  type LabelEntry,
  type MessageEntry,
  type MoveCause,
  migrateSessionEntries,
  type Problem,
  type ProblemCode,
  parseSessionEntries,
  type SessionEntry,
  SessionError,
  type SessionHeader,
  type SessionId,
  type ToolResultMessage,
  type Usage,
  type UserContent,
  type UserMessage,
} from "../entry/index.js";
export type {
  Durability,
  Log,
  Presence,
  PresenceMode,
  PresenceRecord,
  PresentRecord,
  ProcessIdentity,
} from "../log/index.js";
export type { TreeSource } from "../tree/index.js";
export type { NewEntryFields, UsageRecord } from "./appending.js";
export {
  type ArchivedSession,
  type ArchiveOptions,
  type ArchiveOutcome,
  archiveRoot,
  archiveSession,
  type ListArchivedOptions,
  listArchived,
  type RestoreOutcome,
  restoreSession,
} from "./archive-session.js";
export type { FollowEvent, FollowOptions } from "./follow-session.js";
export type { SessionCounts } from "./list/count-log.js";
export type { ImportedFrom } from "./list/end-records.js";
export type { SessionCost } from "./list/line-usage.js";
export { type ListOptions, listAllSessions, listSessions, type OnListProgress } from "./list-sessions.js";
export { boughHome, sessionFolder, sessionsRoot } from "./locations.js";
export type { EntryPath } from "./memory/lazy-path.js";
export { setSessionMemory } from "./memory/memory-budget.js";
export { findMostRecentSession } from "./most-recent.js";
export type { LeaveSession } from "./open/new-session.js";
export type { ExplainedReadOnly, ReadOnlyReason, ReadOnlyText } from "./open/open-log.js";
export type { OpenAgainOptions } from "./opening.js";
export type { EntryCounts } from "./reading.js";
export type { ChangeReason, DroppedBytes, FileChange, RepairChange, RepairReport } from "./repair/repair-report.js";
export { type RepairOptions, repairSession } from "./repair-session.js";
export { loadEntriesFromFile } from "./scan/load-entries.js";
export type { HitState } from "./search/branch-states.js";
export type { Match } from "./search/match/matcher.js";
export type { SearchHit, SearchProblem } from "./search/search-hit.js";
export { type SearchOptions, type SearchProgress, searchSessions } from "./search-sessions.js";
export type { SessionInfo } from "./session-info.js";
export { type NewSessionOptions, SessionManager, type SessionWriter } from "./session-manager.js";
export type { SessionOptions } from "./session-options.js";
export type { OnUnreadable } from "./sessions-folder.js";
export type { SessionTreeNode } from "./tree-node.js";
export { type FindingLevel, findingLevel } from "./verify/findings.js";
export { type VerifyOptions, type VerifyReport, verifySession } from "./verify-session.js";
