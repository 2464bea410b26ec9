/** Lets signals, keys and timers run during long synchronous work. */
import { setImmediate } from "node:timers/promises";
import type { Steps } from "../text/index.js";

/** Milliseconds of work between two yields: short enough for Ctrl+C to feel immediate. */
const EVERY = 10;

export class WorkTurns {
  #since = performance.now();

  /** Cheap enough to check for every entry; if true, await `yieldNow`. */
  get isDue(): boolean {
    return performance.now() - this.#since >= EVERY;
  }

  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}

export { inOneGo, type Steps } from "../text/index.js";

/** Runs the steps, and yields to other work every few milliseconds. */
export async function inSlices<Result>(steps: Steps<Result>, turns = new WorkTurns()): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turns.isDue) await turns.yieldNow();
  }
}
