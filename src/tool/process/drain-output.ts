/** Takes what a program that has ended still has in its pipes, without waiting for the pipes to close. */
import type { Readable } from "node:stream";
import { setImmediate as nextRound } from "node:timers/promises";

const QUIET_ROUNDS = 3;
const MOST_ROUNDS = 1000;

/**
 * What the program wrote before its end is in the system's buffers already, so every round of the event loop brings
 * some of it: rounds without any mean that there is nothing more. No clock is involved. A child in the background that
 * never stops writing is cut off after a fixed number of rounds.
 */
export async function drainOutput(outputs: readonly Readable[], received: () => number): Promise<void> {
  let quiet = 0;
  for (let round = 0; round < MOST_ROUNDS && quiet < QUIET_ROUNDS; round++) {
    if (outputs.every((output) => output.readableEnded || output.destroyed)) return;
    const before = received();
    await nextRound();
    quiet = received() === before ? quiet + 1 : 0;
  }
}
