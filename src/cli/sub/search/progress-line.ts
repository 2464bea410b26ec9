/** How far a search is, on one line of standard error that is written over and goes away. */
import type { SearchProgress } from "../../../session/index.js";
import { shortBytes } from "../../../view/index.js";

/** Milliseconds between two words about how far it is. */
const PROGRESS_EVERY = 200;

/** Only where a person sees it. */
export class ProgressLine {
  /** Nothing is said of a search that is over at once. */
  #shownAt = performance.now();
  #isShown = false;

  show({ filesDone, filesTotal, bytesDone, bytesTotal }: SearchProgress): void {
    const now = performance.now();
    if (process.stderr.isTTY !== true || now - this.#shownAt < PROGRESS_EVERY) return;
    this.#shownAt = now;
    this.#isShown = true;
    const part = `${filesDone} of ${filesTotal} sessions, ${shortBytes(bytesDone)} of ${shortBytes(bytesTotal)}`;
    process.stderr.write(`\r\x1b[KSearching: ${part}`);
  }

  /** Said at once, for as long as there is nothing to count. */
  say(what: string): void {
    if (process.stderr.isTTY !== true) return;
    this.#isShown = true;
    process.stderr.write(`\r\x1b[K${what}`);
  }

  clear(): void {
    if (this.#isShown) process.stderr.write("\r\x1b[K");
    this.#isShown = false;
  }
}
