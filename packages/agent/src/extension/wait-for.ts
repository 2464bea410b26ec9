/** How long a piece of an extension is waited for. */
import { errorText } from "@bough/session/text/index.js";
export type Waited<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "threw"; readonly message: string }
  /** It may still be running; no one waits for it any more. */
  | { readonly kind: "late" }
  /** The same, because everything was told to end and it did not. */
  | { readonly kind: "unstopped" }
  | { readonly kind: "aborted" };

/** Stops the clock until the returned function is called: the time a user thinks is not the extension's. */
export type HoldClock = () => () => void;

export interface WaitOptions {
  readonly limitMs?: number | undefined;
  /** Ends the wait at once. */
  readonly signal?: AbortSignal | undefined;
  /** Leaves a short time once it fires, even if the clock is held: work that must be heard, but may not hold up an end. */
  readonly hurry?: { readonly signal: AbortSignal; readonly limitMs: number } | undefined;
}

/** Runs `work` until it ends, is too slow, or the signal fires. Never rejects, and leaves no timer behind. */
export async function waitFor<Value>(
  work: (hold: HoldClock) => Value | Promise<Value>,
  { limitMs, signal, hurry }: WaitOptions = {},
): Promise<Waited<Value>> {
  let over: (waited: Waited<Value>) => void = () => {};
  const waited = new Promise<Waited<Value>>((resolve) => {
    over = resolve;
  });
  const clock = createClock(limitMs, () => over({ kind: "late" }));
  const endHurry = startHurry(hurry, () => over({ kind: "unstopped" }));
  const onAbort = () => over({ kind: "aborted" });
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  else {
    Promise.resolve()
      .then(() => work(clock.hold))
      .then(
        (value) => over({ kind: "done", value }),
        // Also catches what fails after no one waits any more.
        (error: unknown) => over({ kind: "threw", message: errorText(error) }),
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

/** Returns the function that undoes what it set. */
function startHurry(hurry: WaitOptions["hurry"], onOver: () => void): () => void {
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

/** The limit starts over after each hold. */
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
