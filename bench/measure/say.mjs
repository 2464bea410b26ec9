import { writeSync } from "node:fs";

/** The file descriptor that `runChild` listens on. */
const PROGRESS = 3;

/** Reports the progress of a long task. @param {string} words */
export function say(words) {
  try {
    writeSync(PROGRESS, `  ${new Date().toISOString().slice(11, 19)} ${words}\n`);
  } catch {
    // The task was started by hand, so nothing is listening.
  }
}
