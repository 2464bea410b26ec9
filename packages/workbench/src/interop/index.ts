/** Finds, opens, imports and writes other agents' transcripts. One folder per agent. */
export {
  AGENT_NAMES,
  type AgentName,
  type CodedErrorOptions,
  type EntryId,
  type SessionEntry,
} from "@bough/session/entry/index.js";
export type {
  EntryPath,
  SearchHit,
  SearchOptions,
  SearchProgress,
  SessionManager,
} from "@bough/session/session/index.js";
export { detectAgent, foreignSessionAt, READERS, readerFor, WRITERS, writerFor } from "./agents.js";
export { type ClosedPlace, closedPlaces } from "./closed-places.js";
export type {
  AgentPlaces,
  FileFacts,
  ForeignReader,
  ForeignSession,
  ForeignWriter,
  PlannedLines,
  ReadOptions,
  ResumeCommand,
  SourceProblem,
  WriteLoss,
  WritePlan,
  WriteRequest,
} from "./contract.js";
export { type FindOptions, findSessions } from "./find-sessions.js";
export { folderOwner } from "./folder-owner.js";
export {
  foreignId,
  foreignSessionId,
  NOTE_TYPE,
  type NoteData,
  SUBAGENT_TYPE,
  type SubagentData,
} from "./foreign-entry.js";
export { type ForeignPlace, findPlaces, referencesAmong } from "./foreign-place.js";
export { writeTranscript } from "./handoff/handoff-transcript.js";
export { type ImportOrigin, ORIGIN_TYPE, type OriginFile, originsOf } from "./import/import-origin.js";
export { type ImportOptions, type ImportOutcome, importSession } from "./import/import-session.js";
export { INTEROP_ERROR_CODES, InteropError, type InteropErrorCode } from "./interop-error.js";
export { type LossLinesOptions, lossLines } from "./loss-lines.js";
export { LossCollector, type LossReport, type RecordCount, type RecordFate, type RecordPlace } from "./loss-report.js";
export { matchSessions } from "./match-sessions.js";
export { type OpenedForeign, type OpenForeignOptions, openForeign, openSource, opensInPlace } from "./open-foreign.js";
export type { Originals } from "./raw-line.js";
export type { FoundHit } from "./search/hit-search.js";
export { type SearchPlaces, searchEverywhere } from "./search/search-everywhere.js";
export { checkReadable } from "./source-problem.js";
