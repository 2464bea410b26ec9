/** Agents that are killed while their tools run. `node scripts/tool-kill-runs.mjs` does the same a thousand times. */
import { expect, test } from "vitest";
import { sampledRuns } from "./support/sampled.js";
import { tempFolder } from "./support/temp-folder.js";
import { toolKillRun } from "./support/tool-kill-run.mjs";

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each(Array.from({ length: sampledRuns({ all: 100, some: 4 }) }, (_, at) => at))(
  "a kill at a random moment of tools loses no step, and leaves no folder in between (%i)",
  async (at) => {
    const result = await toolKillRun(tempFolder(), randomFrom(7000 + at));
    expect(result).toMatchObject({ inTool: true });
    expect(result.fault).toBeUndefined();
  },
);
