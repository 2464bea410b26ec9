import { SessionError } from "../entry/index.js";

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

export function isDiskFull(cause: unknown): boolean {
  return FULL.has(systemCode(cause));
}

/** What the system said when it did not take our bytes, as a failure with a code: `disk-full` or `write-failed`. */
export function writeError(path: string, cause: unknown): SessionError {
  const full = isDiskFull(cause);
  return new SessionError(full ? "disk-full" : "write-failed", `Could not write to ${path}`, {
    data: { path, systemCode: systemCode(cause) },
    hint: full
      ? "Make room on the disk; the next append writes what is waiting first."
      : "What could not be written is kept in memory; the next append tries it first.",
    cause,
  });
}

function systemCode(cause: unknown): unknown {
  return (cause as { code?: unknown } | null)?.code;
}
