/** Waits for code of an extension, with a time limit. */
import { errorText } from "@bough/session/text/index.js";
export type Waited<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "threw"; readonly message: string }
  /** It took too long and may still be running. */
  | { readonly kind: "late" }
  /** It did not end in the short time after `hurry` and may still be running. */
  | { readonly kind: "unstopped" }
  | { readonly kind: "aborted" };

/** Pauses the time limit until the returned function is called, because the user's thinking time must not count. */
export type HoldClock = () => () => void;

export interface WaitOptions {
  readonly limitMs?: number | undefined;
  /** Stops waiting at once. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Once aborted, leaves a short time, even if the limit is paused: for work that must run but must not delay the end.
   */
  readonly hurry?: { readonly signal: AbortSignal; readonly limitMs: number } | undefined;
}

/** Runs `work` until it ends, is too slow, or the signal is aborted. Never rejects, and leaves no timer behind. */
export async function waitFor<Value>(
  work: (hold: HoldClock) => Value | Promise<Value>,
  { limitMs, signal, hurry }: WaitOptions = {},
): Promise<Waited<Value>> {
  let settle: (waited: Waited<Value>) => void = () => {};
  const waited = new Promise<Waited<Value>>((resolve) => {
    settle = resolve;
  });
  const clock = createClock(limitMs, () => settle({ kind: "late" }));
  const endHurry = watchHurry(hurry, () => settle({ kind: "unstopped" }));
  const onAbort = () => settle({ kind: "aborted" });
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  else {
    Promise.resolve()
      .then(() => work(clock.hold))
      .then(
        (value) => settle({ kind: "done", value }),
        // Also handles a failure after the wait is over.
        (error: unknown) => settle({ kind: "threw", message: errorText(error) }),
      );
  }
  try {
    return await waited;
  } finally {
    clock.end();
    endHurry();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Returns a function that cleans up. */
function watchHurry(hurry: WaitOptions["hurry"], onOver: () => void): () => void {
  if (hurry === undefined) return () => {};
  const { signal, limitMs } = hurry;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    timer = setTimeout(onOver, limitMs);
  };
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", start);
  };
}

/** The time limit restarts after each pause. */
export function createClock(limitMs: number | undefined, onLate: () => void): { hold: HoldClock; end: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let held = 0;
  let ended = false;
  const start = () => {
    if (limitMs !== undefined && !ended && held === 0) timer = setTimeout(onLate, limitMs);
  };
  start();
  return {
    hold() {
      held += 1;
      clearTimeout(timer);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        held -= 1;
        start();
      };
    },
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
