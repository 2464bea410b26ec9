import type { Sleep } from "./sleep.js";

export type Settled<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "threw"; readonly error: unknown }
  /** It ignored the stop signal. It may still run; its output is ignored from now on. */
  | { readonly kind: "abandoned" };

interface SettleOptions {
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
}

/** How long to wait for work that was told to stop: a shell command is first asked to end and then killed. */
const STOP_GRACE_MS = 5_000;

/**
 * The outcome of work that may never end: its value, its error, or that it was abandoned after the signal. Never
 * rejects, and leaves no listener or timer behind.
 */
export async function settleOrAbandon<Value>(work: Promise<Value>, options: SettleOptions): Promise<Settled<Value>> {
  const { signal, sleep } = options;
  const over = new AbortController();
  const settled = work.then(
    (value): Settled<Value> => ({ kind: "done", value }),
    (error: unknown): Settled<Value> => ({ kind: "threw", error }),
  );
  const abandoned = (async (): Promise<Settled<Value>> => {
    await fired(signal, over.signal);
    await sleep(STOP_GRACE_MS, { signal: over.signal });
    return { kind: "abandoned" };
  })();
  try {
    return await Promise.race([settled, abandoned]);
  } finally {
    over.abort();
  }
}

/** Resolves when the first signal aborts; the second one ends the wait. */
function fired(signal: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true, signal: over });
  });
}
