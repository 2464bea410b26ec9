/** What can go wrong with the files of a session: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `CheckpointError`, and what each means. */
export const CHECKPOINT_ERROR_CODES = {
  "files-off": "files are not recorded here",
  "blob-missing": "a stored file version is not on this machine",
  "newer-record": "a newer version of Bough recorded what changed",
  "blob-damaged": "a stored file version is damaged",
  "files-changed": "files changed after the restore was planned",
  "unsafe-path": "a path leads through a link or out of the folder",
  "restore-failed": "files could not be written; nothing was changed",
  "files-conflict": "files changed outside of the session; choose with `conflicts`",
  "no-file-history": "no session has recorded changes of these files",
  "not-text": "the file is not text",
  "sessions-unread": "not every session could be read, so nothing was removed",
  "restore-stopped": "a restore could not be completed; it is finished at the next start",
  "restore-busy": "another session is restoring files in the same folder",
  "root-gone": "the folder whose files are recorded no longer exists",
  "too-many-changes": "the session records changes to more files than can be read",
  "too-many-files": "the folder has too many files to record",
  "scan-failed": "git could not list the changed files",
} as const;
type CheckpointErrorCode = keyof typeof CHECKPOINT_ERROR_CODES;

/** A file that cannot be stored, read or restored. */
export class CheckpointError extends CodedError<CheckpointErrorCode> {
  override readonly name = "CheckpointError";
}
