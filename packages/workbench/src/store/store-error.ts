/** What can go wrong with a store: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `StoreError`, and what each means. */
export const STORE_ERROR_CODES = {
  "store-unknown": "no store has this name or address",
  "store-exists": "a store with this name is already set up",
  "store-unreachable": "the store cannot be reached; nothing was lost, and the next sync tries again",
  "store-refused": "the store refused the request",
  "store-forbidden": "your role in the store does not allow this",
  "store-read-only": "the store cannot be written to",
  "store-full": "the store has no space left",
  "store-not-set-up": "no store has been created at this address",
  "store-newer": "a newer version of Bough set up this store",
  "store-damaged": "the store contains unreadable data",
  "wrong-passphrase": "the passphrase does not open this store",
  "passphrase-missing": "the store is encrypted and no passphrase was given",
  "session-removed": "the session was removed from the store",
  "session-not-saved": "a session in memory has no file to sync",
  "session-not-stored": "the store has no such session",
  "secrets-found": "the session may contain secrets",
  unavailable: "the session cannot be synced, or syncing is off",
  "package-missing": "an optional package is not installed",
  "sync-aborted": "stopped by the caller",
} as const;
export type StoreErrorCode = keyof typeof STORE_ERROR_CODES;

/** A store cannot be reached, read or written. No entry is ever lost: the local file has them all. */
export class StoreError extends CodedError<StoreErrorCode> {
  override readonly name = "StoreError";
}

const PASSING = new Set<string>(["store-unreachable", "store-not-set-up", "store-full", "store-read-only"]);

/** Whether the failure may resolve itself: an unmounted drive counts as not set up, and a full one can be cleared. */
export function isPassing({ code }: StoreError): boolean {
  return PASSING.has(code);
}

/** The error for a push to a session that was removed on purpose. */
export function sessionRemoved(sessionId: string, address: string): StoreError {
  return new StoreError("session-removed", `Session ${sessionId} was removed from ${address}`, {
    hint: "It is kept here. To put it back, name it: bough sync <session> --again.",
  });
}
