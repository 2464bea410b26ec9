// node scripts/attempt-kill-runs.mjs [runs] [seed] [beside]: kills that many tries with everything they started, cleans
// up, and keeps an attempt. Needs a build. Prints one line; exits with 1 if an attempt was lost, something was left, or
// the project was changed.
import { attemptKillRun } from "../test/support/attempt-kill-run.mjs";
import { killLoop } from "./kill-loop.mjs";

await killLoop({
  name: "attempt-kill",
  run: ({ folder, random }) => attemptKillRun(folder, random),
  summary: (results) => {
    const phases = new Map();
    for (const { phase } of results) phases.set(phase, (phases.get(phase) ?? 0) + 1);
    return [...phases].map(([phase, count]) => `${count} ${phase}`).join(", ");
  },
  failure: "with something lost, left or changed",
});
