/** How far the counting is, on one line of standard error that is written over and goes away. */
import type { CountProgress } from "../../../session/index.js";

/** Milliseconds between two words about how far it is. */
const TELL_EVERY = 200;

/** Only where a person sees it, and never where it is done at once. */
export class CountingLine {
  #toldAt = performance.now();
  #isShown = false;

  show({ done, total }: CountProgress): void {
    const now = performance.now();
    if (process.stderr.isTTY !== true || now - this.#toldAt < TELL_EVERY) return;
    this.#toldAt = now;
    this.#isShown = true;
    process.stderr.write(`\r\x1b[KCounting: ${done} of ${total} sessions`);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write("\r\x1b[K");
    this.#isShown = false;
  }
}
