/** One program of a home at a time does something to a session, such as writing what came from a store. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { withFileLock } from "@bough/session/log/index.js";
import { StoreError } from "./store-error.js";

/** Much longer than it takes to look at a file and write to it once, on a slow drive too. */
const LONGEST_MS = 60_000;

export interface SessionLockOptions {
  readonly home: string;
  readonly sessionId: string;
  readonly what: "pull" | "push";
  /** What is written to, for the message. */
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
  // Sessions share 256 locks of each kind, whose files stay.
  const name = `${what}-${createHash("sha256").update(sessionId).digest("hex").slice(0, 2)}`;
  const folder = join(home, "stores", "locks");
  return withFileLock({ folder, name, signal, patience: 2 * LONGEST_MS, heldAtMost: LONGEST_MS, busy }, work);
}
