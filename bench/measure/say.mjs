import { writeSync } from "node:fs";

/** Where `runChild` listens. */
const PROGRESS = 3;

/** Shows how far a long task is. @param {string} words */
export function say(words) {
  try {
    writeSync(PROGRESS, `  ${new Date().toISOString().slice(11, 19)} ${words}\n`);
  } catch {
    // The task was started by hand, and nobody listens.
  }
}
