// node scripts/tool-kill-runs.mjs [runs] [seed]: kills that many agents while their tools run, opens each session again, and
// goes back and forward. Needs a build. Prints one line; ends with 1 where a step was lost or a folder was in between.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../bench/generate/random.mjs";
import { toolKillRun } from "../test/support/tool-kill-run.mjs";

const runs = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const folder = mkdtempSync(join(tmpdir(), "bough-tool-kill-"));
const started = Date.now();
let next = 0;
let records = 0;
let inTool = 0;
let failed = 0;

async function worker() {
  while (next < runs) {
    const run = next++;
    const own = join(folder, String(run));
    mkdirSync(own);
    const result = await toolKillRun(own, seededRandom(seed + run).next);
    records += result.records;
    if (result.inTool) inTool += 1;
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
  `${runs} kills, ${inTool} after tools began, ${records} records: ${failed} with a lost step or a folder in between; seed ${seed}, ${seconds} s`,
);
process.exit(failed === 0 ? 0 : 1);
