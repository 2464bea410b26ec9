// node scripts/restore-kill-runs.mjs [runs] [seed]: kills that many restores at a random call and looks at what is there
// after the next start. Needs a build. Prints one line; ends with 1 where a folder was neither before nor after.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../bench/generate/random.mjs";
import { restoreKillRun } from "../test/support/restore-kill-run.mjs";

const runs = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const folder = mkdtempSync(join(tmpdir(), "bough-restore-kill-"));
const started = Date.now();
const ends = { before: 0, after: 0 };
let next = 0;
let kills = 0;
let failed = 0;

async function worker() {
  while (next < runs) {
    const run = next++;
    const own = join(folder, String(run));
    mkdirSync(own);
    const result = await restoreKillRun(own, seededRandom(seed + run).next);
    ends[result.end] += 1;
    kills += result.kills;
    if (result.fault === undefined) continue;
    failed += 1;
    console.error(`seed ${seed + run}: ${result.fault}`);
  }
}

try {
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const seconds = Math.round((Date.now() - started) / 1000);
console.log(
  `${runs} restores, ${kills} kills: ${ends.before} before, ${ends.after} after, ${failed} in between or with a loss; seed ${seed}, ${seconds} s`,
);
process.exit(failed === 0 ? 0 : 1);
