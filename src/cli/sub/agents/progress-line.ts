/** What is being worked on, on one line of a terminal that goes away again. Nothing where nobody looks. */
import { cutToWidth } from "../../../view/index.js";

export interface ProgressLine {
  /** Says it at once, and how long it has taken from the second second on. */
  readonly show: (words: string) => void;
  readonly clear: () => void;
}

const SECOND_MS = 1000;

export function progressLine(): ProgressLine {
  let timer: NodeJS.Timeout | undefined;
  const write = (words: string) => {
    process.stderr.write(`\r\x1b[K${cutToWidth(words, (process.stderr.columns || 80) - 1)}`);
  };
  return {
    show(words) {
      if (process.stderr.isTTY !== true) return;
      let seconds = 0;
      write(words);
      timer = setInterval(() => {
        seconds += 1;
        write(`${seconds} s · ${words}`);
      }, SECOND_MS);
      timer.unref();
    },
    clear() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      process.stderr.write("\r\x1b[K");
    },
  };
}
