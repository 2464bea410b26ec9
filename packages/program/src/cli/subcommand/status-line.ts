/** Progress on one line of standard error that is overwritten and erased. Silent without a terminal. */
import { withoutControls } from "@bough/session/text/index.js";
import { cutToWidth } from "@bough/session/view/internal.js";

/** Milliseconds between progress updates. */
const TELL_EVERY = 200;
const DEFAULT_WIDTH = 80;

export class StatusLine {
  /** Work that finishes quickly shows nothing. */
  #reportedAt = performance.now();
  #isShown = false;

  /** Shows it at once. */
  say(words: string): void {
    if (process.stderr.isTTY !== true) return;
    this.#isShown = true;
    const width = (process.stderr.columns || DEFAULT_WIDTH) - 1;
    // Only a single line can be overwritten.
    process.stderr.write(`\r\x1b[K${cutToWidth(withoutControls(words).replace(/\s+/g, " "), width)}`);
  }

  /** Shows it now and then, however often it is called. */
  tell(words: () => string): void {
    const now = performance.now();
    if (now - this.#reportedAt < TELL_EVERY) return;
    this.#reportedAt = now;
    this.say(words());
  }

  clear(): void {
    if (this.#isShown) process.stderr.write("\r\x1b[K");
    this.#isShown = false;
  }
}
