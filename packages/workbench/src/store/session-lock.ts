/** Lets only one program of a home work on a session at a time, such as when it writes pulled lines. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { withFileLock } from "@bough/session/log/index.js";
import { StoreError } from "./store-error.js";

/** Much longer than reading a file and writing to it once takes, even on a slow drive. */
const LONGEST_MS = 60_000;

export interface SessionLockOptions {
  readonly home: string;
  readonly sessionId: string;
  readonly what: "pull" | "push";
  /** Shown in the error message. */
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

/** Rejects with `sync-aborted` if another program takes too long. */
export function withSessionLock<T>(
  { home, sessionId, what, to, signal }: SessionLockOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  const busy = () =>
    new StoreError("sync-aborted", `Another program is writing to ${to}`, { hint: "Sync again in a minute." });
  // Sessions share 256 locks of each kind; lock files are kept.
  const name = `${what}-${createHash("sha256").update(sessionId).digest("hex").slice(0, 2)}`;
  const folder = join(home, "stores", "locks");
  return withFileLock({ folder, name, signal, patience: 2 * LONGEST_MS, heldAtMost: LONGEST_MS, busy }, work);
}
