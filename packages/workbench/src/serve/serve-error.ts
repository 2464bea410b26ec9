import { CodedError } from "@bough/session/entry/index.js";

export const SERVE_ERROR_CODES = {
  "no-page": "the page of `bough serve` is missing from the installation",
  "not-served": "the server could not listen on this address and port",
} as const;

export type ServeErrorCode = keyof typeof SERVE_ERROR_CODES;

/** The server cannot start: a stable code, and a hint about what to do. */
export class ServeError extends CodedError<ServeErrorCode> {
  override readonly name = "ServeError";
}
