/** The words on disk: entry and message types, ids, decoding, versions. Pure. */
export { AGENT_NAMES, AGENT_TITLES, type AgentName } from "./agent-names.js";
export { CodedError, type CodedErrorOptions } from "./coded-error.js";
export { contentText, entryText, isPrompt, roleIn, startsTurn } from "./content.js";
export * from "./entry.js";
export { entryNotFound } from "./entry-not-found.js";
export { EXPORT_ERROR_CODES, ExportError, type ExportErrorCode } from "./export-error.js";
export { freezeDeep } from "./freeze-deep.js";
export * from "./kind.js";
export * from "./message.js";
export {
  BAD_RECORD_REASONS,
  type BadRecord,
  type BadRecordReason,
  type ParsedRecord,
  parseRecord,
  parseSessionEntries,
  type TitleLine,
} from "./parse-entries.js";
export * from "./problem.js";
export * from "./raw-fields.js";
export * from "./scan-record.js";
export * from "./session-error.js";
export { callsIn, type ResultIn, resultIn } from "./tool-calls.js";
export * from "./upgrade/create-upgrade.js";
export * from "./upgrade/migrate-session-entries.js";
export * from "./upgrade/replace-fields.js";
export * from "./upgrade/session-version.js";
