/** Long work in short slices, so that a key never waits for it. */

/** A key may have to wait for a slice and then for its own frame, and both have to fit into the 16 ms of a frame. */
const SLICE_MS = 4;

interface SliceOptions {
  readonly now: () => number;
  /** Calls it soon, after whatever input is already waiting: `setImmediate`. */
  readonly later: (work: () => void) => void;
  readonly signal: AbortSignal;
}

/** Runs the work until it is done or the signal ends it; between two slices the terminal is read. */
export function runInSlices(work: (deadline: () => boolean) => "more" | "done", options: SliceOptions): void {
  const { now, later, signal } = options;
  const slice = (): void => {
    if (signal.aborted) return;
    const until = now() + SLICE_MS;
    if (work(() => now() >= until) === "more") later(slice);
  };
  later(slice);
}
