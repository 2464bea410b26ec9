/** Exports sessions to files with secrets masked. The door of `bough/export`. */
export type { CodedErrorOptions, EntryId, SessionEntry } from "@bough/session/entry/index.js";
export { EXPORT_ERROR_CODES, ExportError, type ExportErrorCode } from "@bough/session/entry/index.js";
export type { Piece } from "@bough/session/log/index.js";
export type { SessionManager } from "@bough/session/session/index.js";
export {
  createRedactor,
  ownSecrets,
  type Redactor,
  type RedactorOptions,
  type Scanned,
  type ScanOptions,
  type SecretFinderOptions,
  type SecretFinding,
  type SecretScan,
  type Spot,
  type Spots,
  scanEntries,
} from "../secrets/index.js";
export type { FileDiffsOf, SecretSpan, SecretsIn, StepDiff, StepDiffs } from "./carried-diffs.js";
export { streamExportFile } from "./export-file.js";
export { exportFormatOf, suggestedExportName } from "./export-name.js";
export {
  EXPORT_FORMATS,
  EXPORT_SCOPES,
  type ExportFormat,
  type ExportScope,
  type LeaveOutOptions,
  type StagedScope,
  type StageOptions,
} from "./export-options.js";
export {
  defaultExportScope,
  type ExportedSession,
  type ExportPlace,
  type ExportRequest,
  type ExportStaged,
  exportPlace,
  exportSession,
} from "./export-session.js";
export type { ExportTarget } from "./export-target.js";
export { maskRecords, maskTexts } from "./mask-texts.js";
export { type StagedExport, type StageRequest, stageExport } from "./stage-export.js";
export { type WriteRequest, writeExport } from "./write-export.js";
