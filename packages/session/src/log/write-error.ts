import { SessionError } from "../entry/index.js";

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

export function isDiskFull(cause: unknown): boolean {
  return FULL.has(systemCode(cause));
}

/** A write failure with a code: `disk-full` or `write-failed`. */
export function writeError(path: string, cause: unknown): SessionError {
  const full = isDiskFull(cause);
  return new SessionError(full ? "disk-full" : "write-failed", `Could not write to ${path}`, {
    data: { path, systemCode: systemCode(cause) },
    hint: full
      ? "Free some disk space; the next append writes pending entries first."
      : "Unwritten entries are kept in memory; the next append retries them first.",
    cause,
  });
}

/** Why a file could not be opened, in words, and what to do about it. */
export function openFailure(code: unknown): { readonly reason: string; readonly hint: string } {
  const hint = "Close sessions you do not need, or raise the open file limit (ulimit -n).";
  if (code === "EMFILE") return { reason: ": this process has too many files open", hint };
  if (code === "ENFILE") return { reason: ": the system has too many files open", hint };
  if (code === "EACCES" || code === "EPERM") {
    return { reason: ": permission denied", hint: "Check the permissions of the file and its folder." };
  }
  if (code === "EROFS") return { reason: ": the file system is read-only", hint: "Open it read-only." };
  return { reason: typeof code === "string" ? ` (${code})` : "", hint: "Check the file, its folder and the disk." };
}

function systemCode(cause: unknown): unknown {
  return (cause as { code?: unknown } | null)?.code;
}
