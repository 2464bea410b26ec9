/** The vocabulary on disk: entry and message types, IDs, decoding, versions. Pure. */

export { AGENT_NAMES, AGENT_TITLES, type AgentName } from "./agent-names.js";
export { CodedError, type CodedErrorOptions } from "./coded-error.js";
export { contentText, entryText, isPrompt, roleIn, startsTurn } from "./content.js";
export {
  type BranchSummaryEntry,
  CHANGED_FILES_TYPE,
  type CompactionEntry,
  type ContextEditEntry,
  type ContextReplacement,
  CURRENT_SESSION_VERSION,
  type CustomEntry,
  type CustomMessageEntry,
  DRIVER_TYPE,
  type EntryBase,
  type EntryId,
  type FileDetails,
  type FileEntry,
  type Label,
  type LabelEntry,
  type MessageEntry,
  MODE_TYPE,
  type ModeChangeEntry,
  type ModelChangeEntry,
  type MoveCause,
  POSITION_TYPE,
  type PositionData,
  type ResetBoundaryEntry,
  type RuleInjectionEntry,
  SERVERS_TYPE,
  type SessionEntry,
  type SessionHeader,
  type SessionId,
  type SessionInfoEntry,
  type ThinkingLevelChangeEntry,
  type UnreadableEntry,
  type UsageEntry,
} from "./entry.js";
export { EXPORT_ERROR_CODES, ExportError, type ExportErrorCode } from "./export-error.js";
export {
  type BroughtFiles,
  FILES_SKIPPED,
  FILES_TYPE,
  type FileDelta,
  type FileState,
  type OtherSession,
  type SkippedFile,
} from "./files-record.js";
export { isMark, Kind, kindOf, LeafEffect, leafEffect, Role, roleOf } from "./kind.js";
export type {
  AgentMessage,
  AssistantBlock,
  AssistantMessage,
  BashExecutionMessage,
  BranchSummaryMessage,
  CompactionSummaryMessage,
  Cost,
  CustomMessage,
  ImageBlock,
  StopReason,
  SystemMessage,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultMessage,
  Usage,
  UserContent,
  UserMessage,
} from "./message.js";
export {
  BAD_RECORD_REASONS,
  type BadRecord,
  type BadRecordReason,
  type ParsedRecord,
  parseRecord,
  parseSessionEntries,
  type TitleLine,
} from "./parse-entries.js";
export { PROBLEM_CODES, type Problem, type ProblemCode } from "./problem.js";
export { ERROR_CODES, type ErrorCode, SessionError } from "./session-error.js";
export { TODO_STATES, type TodoItem, todoIn } from "./todo-list.js";
export { callsIn, type ResultIn, resultIn } from "./tool-calls.js";
export { migrateSessionEntries } from "./upgrade/migrate-session-entries.js";
