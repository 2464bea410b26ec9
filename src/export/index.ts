/** Everything that leaves a session as a file, with secrets masked. The door of `bough/export`. */
export type { CodedErrorOptions, EntryId, SessionEntry } from "../entry/index.js";
export { EXPORT_ERROR_CODES, ExportError, type ExportErrorCode } from "../entry/index.js";
export type { Piece } from "../log/index.js";
export type { SessionManager } from "../session/index.js";
export type { FileDiffsOf, SecretSpan, SecretsIn, StepDiff, StepDiffs } from "./carried-diffs.js";
export { type ExportTarget, streamExportFile } from "./export-file.js";
export { exportFormatOf, suggestedExportName } from "./export-name.js";
export {
  EXPORT_FORMATS,
  EXPORT_SCOPES,
  type ExportFormat,
  type ExportScope,
  type LeaveOutOptions,
  type StageOptions,
} from "./export-options.js";
export {
  defaultExportScope,
  type ExportedSession,
  type ExportPlace,
  type ExportRequest,
  exportPlace,
  exportSession,
} from "./export-session.js";
export { maskRecords, maskTexts } from "./mask-texts.js";
export type { SecretFinderOptions } from "./secrets/find-secrets.js";
export { ownSecrets } from "./secrets/own-secrets.js";
export { createRedactor, type Redactor, type RedactorOptions } from "./secrets/redactor.js";
export type { Scanned } from "./secrets/scan-batch.js";
export { type ScanOptions, type SecretFinding, type SecretScan, scanEntries } from "./secrets/scan-entries.js";
export type { Spot, Spots } from "./secrets/spots.js";
export { type StagedExport, type StageRequest, stageExport } from "./stage-export.js";
export { type WriteRequest, writeExport } from "./write-export.js";
