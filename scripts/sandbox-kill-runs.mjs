// node scripts/sandbox-kill-runs.mjs [runs] [seed] [beside]: kills that many processes while commands run in their sandbox,
// and looks for what is left: names in the project, a different `git status`, processes, mounts, temporary files. Needs a
// build. Prints one line; exits with 1 if anything was left or seen.
import { sandboxKillRun } from "../test/support/sandbox-kill-run.mjs";
import { killLoop, sum } from "./kill-loop.mjs";

await killLoop({
  name: "sandbox-kill",
  run: ({ folder, random }) => sandboxKillRun(folder, random),
  summary: (results) => `${sum(results.map(({ ended }) => ended))} commands ended before`,
  failure: "with something left or seen",
});
