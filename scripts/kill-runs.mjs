// node scripts/kill-runs.mjs [runs]: kills a writing process that many times and counts what is missing afterwards.
// Needs a build. Prints one line; ends with 1 where anything acknowledged was lost.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { killRun } from "../test/support/engine-kill-run.mjs";

const runs = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), "bough-kill-"));
const started = Date.now();
let next = 0;
let acknowledged = 0;
let torn = 0;
let failed = 0;

async function worker() {
  while (next < runs) {
    const run = next++;
    // Bursts of small messages, of mixed sizes, and of large ones only, ended within the first 60 ms.
    const largeEvery = [0, 10, 2, 1][run % 4];
    const result = await killRun({ file: join(folder, `${run}.jsonl`), afterMs: Math.random() * 60, largeEvery });
    acknowledged += result.acknowledged;
    torn += result.torn;
    if (result.faults.length === 0) continue;
    failed += 1;
    console.error(`run ${run}: ${result.faults.join("; ")}`);
  }
}

try {
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const seconds = Math.round((Date.now() - started) / 1000);
console.log(
  `${runs} kills, ${acknowledged} acknowledged entries, ${torn} torn lines, ${failed} runs with a loss, ${seconds} s`,
);
process.exit(failed === 0 ? 0 : 1);
