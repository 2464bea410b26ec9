// node scripts/kill-runs.mjs [runs] [seed] [beside]: kills a writing process that many times and counts what is missing
// afterwards. Needs a build. Prints one line; exits with 1 if anything acknowledged was lost.
import { join } from "node:path";
import { killRun } from "../test/support/engine-kill-run.mjs";
import { killLoop, sum } from "./kill-loop.mjs";

await killLoop({
  name: "kill",
  run: async ({ folder, random, number }) => {
    // Bursts of small messages, of mixed sizes, or of large ones only, killed within the first 60 ms.
    const largeEvery = [0, 10, 2, 1][number % 4];
    const { faults, ...counts } = await killRun({ file: join(folder, "s.jsonl"), afterMs: random() * 60, largeEvery });
    return { ...counts, ...(faults.length === 0 ? {} : { fault: faults.join("; ") }) };
  },
  summary: (results) =>
    `${sum(results.map((one) => one.acknowledged))} acknowledged entries, ${sum(results.map((one) => one.torn))} torn lines`,
  failure: "with a loss",
});
