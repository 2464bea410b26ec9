/** Files that follow the tree: contents by hash, recorded changes, plans of what a move does to files, restores. */
export type { BlamedLine, LineOrigin } from "./blame/blame-file.js";
export type { DescribedStep } from "./blame/describe-step.js";
export type { FileHistory, HistoryChange, HistorySession } from "./blame/file-history.js";
export { type TracedFile, type TraceOptions, traceFile } from "./blame/trace-file.js";
export { CHECKPOINT_ERROR_CODES, CheckpointError } from "./checkpoint-error.js";
export { type ComparedFiles, compareFiles } from "./compare-files.js";
export { type ChangedFiles, countDifferences, diffFiles, filesBetween, filesToDisk } from "./diff-files.js";
export { type DiskFile, diskFile } from "./disk-file.js";
export { type FilesRoot, filesRoot, type NoFilesRoot, rememberRoot } from "./files-root.js";
export { closeSessionFiles, type FilesOff, type OpenFilesOptions, openSessionFiles } from "./open-session-files.js";
export { pathFilter, pathInRoot } from "./path-filter.js";
export { planRestore, type RestorePlan, unnamedPaths, unrecordedPaths } from "./plan-restore.js";
export { type ApplyOptions, applyFiles } from "./restore/apply-files.js";
export {
  type FileConflict,
  type FilePlan,
  isEmptyPlan,
  type MissingFile,
  machinesOf,
  type PlanFilesOptions,
  type PlannedFile,
  type ProtectedFile,
  planFiles,
} from "./restore/plan-files.js";
export {
  type ConflictChoice,
  changesFiles,
  type MergeChoice,
  type RestoreChoices,
  type RestoreOutcome,
  unansweredConflicts,
} from "./restore/restore-choices.js";
export { hasOpenRestores, type SettledRestore, type SettleOptions, settleRestores } from "./restore/settle-restores.js";
export { FolderScanner } from "./scan/folder-scanner.js";
export { GitScanner, type GitScannerOptions } from "./scan/git-scanner.js";
export { MOST_FILES, type Scanner, type ScannerOptions, type ScanOutcome } from "./scan/scanner.js";
export {
  type BringPlan,
  type FilesScan,
  type FollowOutcome,
  MOST_FILE_BYTES,
  type RecordedFiles,
  type ScannedFiles,
  SessionFiles,
  type SessionFilesOptions,
} from "./session-files.js";
export { rootHere, sessionRoot, writableRoot } from "./session-root.js";
export { stateNumber } from "./state-entry.js";
export { stepDiffs } from "./step-diffs.js";
export { hasFileRecords } from "./steps-between.js";
export type { BlobSource } from "./store/blob-source.js";
export { BlobStore, type BlobStoreOptions, hashOf, type PutOptions } from "./store/blob-store.js";
export {
  collectGarbage,
  collectGarbageRarely,
  type GarbageOptions,
  type GarbageOutcome,
  type RareGarbageOptions,
} from "./store/collect-garbage.js";
export { type RootSessions, rootSessions } from "./store/root-sessions.js";
export { registerSession, sessionsOf } from "./store/store-sessions.js";
export { type StoreStatus, storeStatus } from "./store/store-status.js";
export {
  type MergedFilesPlan,
  type PathChange,
  planMergedFiles,
} from "./three-way/plan-merged-files.js";
export type { ExactChange } from "./work/attribute-changes.js";
export { hasInterruptedWork, type RunningCommand } from "./work/interrupted-work.js";
