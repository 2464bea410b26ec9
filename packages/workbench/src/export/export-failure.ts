/** Readable reasons why an export could not be written. */
import { ExportError } from "@bough/session/entry/index.js";

export const TAKEN = "the file already exists";

/** Reasons by error code. Any other error is reported with its code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "the folder is not writable",
  EPERM: "the folder is not writable",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the disk",
  EDQUOT: "disk quota exceeded",
  EFBIG: "the file is too large for this file system",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "too many levels of symbolic links",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "there is a folder with this name",
  EIO: "the disk failed",
  EEXIST: TAKEN,
  // The folder exists at this point, so it is a virtual one, such as /proc, that does not accept new files.
  ENOENT: "its folder does not accept new files",
  EINVAL: "its folder does not accept this file name",
  EXDEV: "its folder does not accept new files",
};

/** Reasons that differ when creating the folder failed. */
const FOLDER_REASONS: Readonly<Record<string, string>> = {
  EEXIST: "a part of its path is a file, not a folder",
  ENOENT: "its folder cannot be created",
};

interface FailedStep {
  readonly step: "make-folder" | "write";
  readonly cause: unknown;
}

/** Turns a system error into an `ExportError`. An `ExportError` is returned unchanged. */
export function exportFailure(file: string, { step, cause }: FailedStep): ExportError {
  if (cause instanceof ExportError) return cause;
  const code = String((cause as { readonly code?: unknown } | null)?.code ?? cause);
  const known = (step === "make-folder" ? FOLDER_REASONS[code] : undefined) ?? REASONS[code];
  return exportFailed(file, known ?? `system error ${code}`, { cause });
}

/** Why a target cannot be used, in one word. */
export type TargetReason = "own" | "folder" | "special" | "exists";

interface FailureFacts {
  readonly cause?: unknown;
  readonly reason?: TargetReason;
}

export function exportFailed(file: string, why: string, { cause, reason }: FailureFacts = {}): ExportError {
  return new ExportError("export-failed", `${file} was not written: ${why}`, {
    data: { file, ...(reason === undefined ? {} : { reason }) },
    hint: "Choose another file name or a writable folder.",
    ...(cause === undefined ? {} : { cause }),
  });
}
