import { setTimeout as timer } from "node:timers/promises";

/** Waits, but returns early when the signal aborts. Never throws, so check the signal afterwards. */
export type Sleep = (milliseconds: number, options: { readonly signal: AbortSignal }) => Promise<void>;

export const realSleep: Sleep = async (milliseconds, { signal }) => {
  try {
    await timer(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
