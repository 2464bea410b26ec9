/** Lets signals, keys and timers have their turn while something long is read without waiting for anything. */
import { setImmediate } from "node:timers/promises";

/** Milliseconds of work between two turns: short enough for Ctrl+C to feel heard. */
const EVERY = 25;

export class Breather {
  #since = performance.now();

  /** Asked often, it must cost little: whoever gets true awaits `breathe`. */
  get isDue(): boolean {
    return performance.now() - this.#since >= EVERY;
  }

  async breathe(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
