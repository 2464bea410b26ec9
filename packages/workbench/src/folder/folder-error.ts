/** What can go wrong with the folder of an attempt: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `FolderError`, and what each means. */
export const FOLDER_ERROR_CODES = {
  "no-space": "there is not enough disk space for the folders of the attempts",
  "copy-failed": "a folder could not be copied; what was made of it was removed",
  "not-a-project": "this folder cannot be copied for attempts",
} as const;
type FolderErrorCode = keyof typeof FOLDER_ERROR_CODES;

/** A folder that could not be made. */
export class FolderError extends CodedError<FolderErrorCode> {
  override readonly name = "FolderError";
}
