/** The error type of this room. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `InteropError`, and what each means. */
export const INTEROP_ERROR_CODES = {
  "not-a-transcript": "not a transcript of a supported agent",
  "damaged-source": "the transcript, or the database it is in, is damaged",
  "too-large": "the compressed transcript is too large when unpacked",
  "no-such-session": "the file contains no session with this ID",
  "several-sessions": "the file contains several sessions and no ID was given",
  "target-exists": "the transcript's file already exists",
  "cannot-write": "the transcript could not be written",
  "no-writer": "sessions cannot be written for this agent",
  "needs-agreement": "data would be lost and it was not possible to ask; nothing was written",
  "nothing-to-write": "the path has no conversation",
} as const;
export type InteropErrorCode = keyof typeof INTEROP_ERROR_CODES;

/** Another agent's session cannot be read or written: a stable code, data, and a hint about what to do. */
export class InteropError extends CodedError<InteropErrorCode> {
  override readonly name = "InteropError";
}
