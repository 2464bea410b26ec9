/** The failures of this room that are thrown on purpose. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `InteropError`, and what each means. */
export const INTEROP_ERROR_CODES = {
  "not-a-transcript": "not a transcript of a supported agent",
  "damaged-source": "the transcript, or the database it is in, is damaged",
  "too-large": "the compressed transcript unpacks to more than is read",
  "no-such-session": "the file holds no session with this id",
  "several-sessions": "the file holds several sessions and none was named",
  "target-exists": "the transcript's file already exists",
  "cannot-write": "the transcript could not be written",
  "no-writer": "sessions cannot be written for this agent",
  "needs-agreement": "data would be lost and it could not ask; nothing was written",
  "nothing-to-write": "the path has no conversation",
} as const;
export type InteropErrorCode = keyof typeof INTEROP_ERROR_CODES;

/** Another agent's session that cannot be read or written: a stable code, data, and a hint about what to do. */
export class InteropError extends CodedError<InteropErrorCode> {
  override readonly name = "InteropError";
}
