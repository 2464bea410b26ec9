// node scripts/restore-kill-runs.mjs [runs] [seed] [beside]: kills that many restores at a random call and looks at
// what is there after the next start. Needs a build. Prints one line; exits with 1 if a folder was in neither the old
// nor the new state.
import { restoreKillRun } from "../test/support/restore-kill-run.mjs";
import { killLoop, sum } from "./kill-loop.mjs";

await killLoop({
  name: "restore-kill",
  run: ({ folder, random }) => restoreKillRun(folder, random),
  summary: (results) => {
    const ended = (end) => results.filter((one) => one.end === end).length;
    return `${sum(results.map(({ kills }) => kills))} kills, ${ended("before")} before, ${ended("after")} after`;
  },
  failure: "in between or with a loss",
});
