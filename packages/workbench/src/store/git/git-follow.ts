/** Follows a store without notifications by polling its list. */
import { setTimeout as wait } from "node:timers/promises";
import type { StoredSession } from "../store.js";
import { StoreError } from "../store-error.js";

export interface FollowOptions {
  readonly list: () => Promise<readonly StoredSession[]>;
  readonly pollMs: number;
  /** Default: all sessions. */
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
}

/** Yields sessions whose cursor changed, until the signal aborts. An unreachable store is polled again. */
export async function* followList({
  list,
  pollMs,
  sessionId,
  signal,
}: FollowOptions): AsyncGenerator<StoredSession, void> {
  const first = (await untilAborted(list(), signal)) ?? [];
  const seen = new Map(first.map(({ id, cursor }) => [id, cursor]));
  while (!signal.aborted) {
    await wait(pollMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    for (const one of (await untilAborted(list().catch(whenAway), signal)) ?? []) {
      if ((sessionId !== undefined && one.id !== sessionId) || seen.get(one.id) === one.cursor) continue;
      seen.set(one.id, one.cursor);
      yield one;
    }
  }
}

function whenAway(error: unknown): readonly StoredSession[] {
  if (error instanceof StoreError && error.code === "store-unreachable") return [];
  throw error;
}

/** Undefined if the signal aborts first, so that following ends without waiting for the network. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const over = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { signal: over.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    over.abort();
  }
}
