/** Lets signals, keys and timers run during long work that never waits for anything. */
import { setImmediate } from "node:timers/promises";

/** Milliseconds of work between two turns: short enough for Ctrl+C to feel immediate. */
const EVERY = 10;

export class WorkTurns {
  #since = performance.now();

  /** Cheap enough to ask for every entry; when true, await `yieldNow`. */
  get isDue(): boolean {
    return performance.now() - this.#since >= EVERY;
  }

  async yieldNow(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
