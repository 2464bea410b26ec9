import { errorText } from "@bough/session/text/index.js";

/** A tool call failed. The message is a full sentence for the model: what happened and what to try. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or folder",
  EACCES: "Permission denied",
  EPERM: "Operation not permitted",
  EISDIR: "It is a folder, not a file",
  ENOTDIR: "Part of the path is a file, not a folder",
  ELOOP: "Too many levels of symbolic links in the path",
  ENAMETOOLONG: "The path is too long for this file system",
  ENOSPC: "No space left on the disk",
  EROFS: "The file system is read-only",
  EMFILE: "Too many open files",
};

/** The code of a failed system call, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Describes any failure in a sentence for the model. */
export function failureSentence(error: unknown): string {
  if (error instanceof ToolFailure) return error.message;
  const reason = SYSTEM_REASONS[systemCode(error) ?? ""];
  if (reason === undefined) return errorText(error);
  const path = (error as NodeJS.ErrnoException).path;
  return path === undefined ? reason : `${reason}: ${path}`;
}
