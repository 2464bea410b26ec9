/** Files that follow the tree: contents by their hash, plans of what a move does to files, and restores that can be killed. */
export { CHECKPOINT_ERROR_CODES, CheckpointError } from "./checkpoint-error.js";
export { type BlockedWhy, type DiskFile, diskFile } from "./disk-file.js";
export { type ApplyOptions, applyFiles, type SettledRestore, settleRestores } from "./restore/apply-files.js";
export {
  type FileConflict,
  type FilePlan,
  type PlanFilesOptions,
  type PlannedFile,
  planFiles,
} from "./restore/plan-files.js";
export { BlobStore, hashOf, type PutOptions } from "./store/blob-store.js";
