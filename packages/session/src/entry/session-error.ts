import { CodedError } from "./coded-error.js";

/** Codes of `SessionError` and their meanings. */
export const ERROR_CODES = {
  "entry-not-found": "no entry has this id",
  "ambiguous-entry": "several entries match",
  "session-not-found": "file not found",
  "ambiguous-session": "several sessions match",
  "not-a-session": "the file is not a session",
  "is-directory": "a file was expected",
  "read-only": "the session was opened read-only",
  "future-version": "written by a later version",
  "write-failed": "the entry could not be written; it is kept in memory and written first next time",
  "disk-full": "no space left; the entry is kept in memory and written first next time",
  "read-failed": "the file could not be read",
  "not-serializable": "the value cannot be written as JSON",
  "line-too-long": "the line is longer than the runtime can hold as text",
  "upgrade-failed": "the upgraded file did not match the original; the original was left as it was",
  "repair-failed": "the repaired file did not hold every readable entry; it was removed",
  "bad-clock": "the option now did not return a valid Date; nothing was written",
  "bad-query": "the search pattern is not valid",
  aborted: "stopped by the caller",
  "log-changed": "the log no longer holds what was written to it; a log that is not a file must only grow",
  "no-new-log": "this session has no way to make or reopen a log; pass the option newLog",
  "no-store": "no store is attached to this session",
  closed: "the session is closed",
} as const;
export type ErrorCode = keyof typeof ERROR_CODES;

/** A session that cannot be read or written: a stable code, data, and a hint about what to do. */
export class SessionError extends CodedError<ErrorCode> {
  override readonly name = "SessionError";
}
