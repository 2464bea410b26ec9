// node scripts/tool-kill-runs.mjs [runs] [seed] [beside]: kills that many agents while their tools run, opens each
// session again, and goes back and forward. Needs a build. Prints one line; exits with 1 if a step was lost or a folder
// was in between states.
import { toolKillRun } from "../test/support/tool-kill-run.mjs";
import { killLoop, sum } from "./kill-loop.mjs";

await killLoop({
  name: "tool-kill",
  run: ({ folder, random }) => toolKillRun(folder, random),
  summary: (results) =>
    `${results.filter(({ inTool }) => inTool).length} after tools began, ${sum(results.map(({ records }) => records))} records`,
  failure: "with a lost step or a folder in between",
});
