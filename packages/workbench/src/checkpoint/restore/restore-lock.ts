/** One restore at a time in a root, across processes. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { withFileLock } from "@bough/session/log/index.js";
import { CheckpointError } from "../checkpoint-error.js";

/** Longer than a restore of very many files takes. */
const PATIENCE_MS = 60_000;

export interface LockOptions {
  /** The folder of the store. */
  readonly store: string;
  readonly root: string;
  readonly signal?: AbortSignal;
  /** Default: a minute. */
  readonly patience?: number;
}

/** Runs `work` while no other process restores in this root. Throws `restore-busy` if the lock takes too long. */
export async function withRestoreLock<Result>(
  { store, root, signal, patience = PATIENCE_MS }: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const busy = () =>
    new CheckpointError("restore-busy", `Another session is restoring files in ${root}`, {
      data: { root },
      hint: "Nothing was changed. Try again when it is done.",
    });
  return withFileLock({ folder: join(store, "locks"), name, signal, patience, busy }, work);
}
