/** Processes that are killed while commands run in their sandbox. `node scripts/sandbox-kill-runs.mjs` does it a thousand times. */
import { expect, test } from "vitest";
import { noSandbox } from "./scenario/sandbox-place.js";
import { sampledRuns } from "./support/sampled.js";
import { sandboxKillRun } from "./support/sandbox-kill-run.mjs";
import { tempFolder } from "./support/temp-folder.js";

const why = await noSandbox();

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.skipIf(why !== undefined).each(Array.from({ length: sampledRuns({ all: 100, some: 3 }) }, (_, at) => at))(
  "a kill at a random moment of sandboxed commands leaves nothing, and the project looks the same all the time (%i)",
  async (at) => {
    const result = await sandboxKillRun(tempFolder(), randomFrom(9000 + at));
    expect(result.fault).toBeUndefined();
  },
);
