/** Slows down who guesses the secret: each wrong one doubles the wait of the next, for everyone who sends a wrong one. */
import { setTimeout } from "node:timers/promises";

const FIRST_MS = 50;
const LONGEST_MS = 5_000;
/** After this time without a wrong guess, the wait starts over. */
const FORGET_MS = 60_000;
/** Requests that wait at the same time; more are refused at once. */
const MOST_WAITING = 20;

export class Guesses {
  #wrong = 0;
  #last = 0;
  #waiting = 0;

  /** Waits before a wrong guess is answered. False if too many wait already. Right requests never wait. */
  async slowDown(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    if (now - this.#last > FORGET_MS) this.#wrong = 0;
    this.#last = now;
    this.#wrong += 1;
    if (this.#waiting >= MOST_WAITING) return false;
    this.#waiting += 1;
    try {
      await setTimeout(Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.#wrong - 1)), undefined, { signal });
      return true;
    } catch {
      // The client is gone, or the server stops.
      return false;
    } finally {
      this.#waiting -= 1;
    }
  }
}
