/** What can go wrong with the files of a session: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `CheckpointError`, and what each means. */
export const CHECKPOINT_ERROR_CODES = {
  "files-off": "files are not recorded here",
  "blob-missing": "a stored file version is not on this machine",
  "newer-record": "a newer version of Bough recorded what changed",
  "blob-damaged": "a stored content is damaged",
  "files-changed": "files changed after the restore was planned",
  "unsafe-path": "a path leads through a link or out of the folder",
  "restore-failed": "files could not be written; nothing was changed",
  "files-conflict": "files changed outside of the session; choose with `conflicts`",
  "no-file-history": "no session has recorded changes of these files",
  "not-text": "the file is not text",
  "sessions-unread": "not every session could be read, so nothing was removed",
  "restore-stopped": "a restore could not be completed; it is finished at the next start",
  "restore-busy": "another session is restoring files in the same folder",
  "root-gone": "the folder whose files are followed no longer exists",
  "too-many-changes": "the session records changes of more files than are read",
  "too-many-files": "the folder holds too many files to follow",
  "scan-failed": "git could not say which files changed",
} as const;
type CheckpointErrorCode = keyof typeof CHECKPOINT_ERROR_CODES;

/** A file that cannot be stored, read or restored. */
export class CheckpointError extends CodedError<CheckpointErrorCode> {
  override readonly name = "CheckpointError";
}
