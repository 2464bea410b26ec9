/** Tries that are killed with everything they started. `node scripts/attempt-kill-runs.mjs` does the same 200 times. */
import { expect, test } from "vitest";
import { attemptKillRun } from "./support/attempt-kill-run.mjs";
import { sampledRuns } from "./support/sampled.js";
import { tempFolder } from "./support/temp-folder.js";

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each(Array.from({ length: sampledRuns({ all: 50, some: 2 }) }, (_, at) => at))(
  "a kill at a random moment of attempts loses none, and cleaning up leaves nothing (%i)",
  async (at) => {
    const result = await attemptKillRun(tempFolder(), randomFrom(9000 + at));
    expect(result.fault).toBeUndefined();
  },
);
