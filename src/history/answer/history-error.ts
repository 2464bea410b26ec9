/** What can go wrong with a question about history: a stable code, data, and what to do next. */
import { CodedError } from "../../entry/index.js";

/** Codes of `HistoryError`, and what each means. */
export const HISTORY_ERROR_CODES = {
  "session-not-found": "no session on this machine has this name or ID",
  "ambiguous-session": "several sessions start with this ID",
  "entry-not-found": "the session has no such entry",
  "nothing-asked": "the question names nothing to look for",
} as const;
type HistoryErrorCode = keyof typeof HISTORY_ERROR_CODES;

/** A question that cannot be answered as it was asked. */
export class HistoryError extends CodedError<HistoryErrorCode> {
  override readonly name = "HistoryError";
}
