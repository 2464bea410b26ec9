import { setTimeout as timer } from "node:timers/promises";

/** Waits, but returns early when the signal aborts. Never throws, so check the signal afterwards. */
export type Sleep = (milliseconds: number, options: SleepOptions) => Promise<void>;

interface SleepOptions {
  readonly signal: AbortSignal;
  /** With false, the wait alone does not keep the process running. */
  readonly ref?: boolean;
}

export const realSleep: Sleep = async (milliseconds, { signal, ref = true }) => {
  try {
    await timer(milliseconds, undefined, { signal, ref });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
