/** What is being worked on, and how long that has taken. */
import { StatusLine } from "../status-line.js";

interface ProgressLine {
  /** Says it at once, and how long it has taken from the second second on. */
  readonly show: (words: string) => void;
  readonly clear: () => void;
}

const SECOND_MS = 1000;

export function progressLine(): ProgressLine {
  const line = new StatusLine();
  let timer: NodeJS.Timeout | undefined;
  return {
    show(words) {
      clearInterval(timer);
      let seconds = 0;
      line.say(words);
      timer = setInterval(() => {
        seconds += 1;
        line.say(`${seconds} s · ${words}`);
      }, SECOND_MS);
      timer.unref();
    },
    clear() {
      clearInterval(timer);
      line.clear();
    },
  };
}
