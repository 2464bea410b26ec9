/** News from a store that cannot say them by itself: its list is looked at now and then. */
import { setTimeout as wait } from "node:timers/promises";
import type { StoredSession } from "../store.js";
import { StoreError } from "../store-error.js";

export interface FollowOptions {
  readonly list: () => Promise<readonly StoredSession[]>;
  readonly pollMs: number;
  /** Default: all. */
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
}

/** Names sessions whose cursor changed, until the signal. A store that is away is asked again. */
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

/** Undefined if the signal comes first: who waits for news need not wait for the network. */
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
