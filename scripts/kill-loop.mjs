// Shared by scripts that kill processes: many runs in parallel, each with its own folder and random sequence.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../bench/generate/random.mjs";

/**
 * Reads `[runs] [seed] [beside]` from the command line: how many runs, the first seed, and how many at a time. Run
 * number n uses the random sequence of `seed + n`, so `1 <seed + n>` repeats it. The folder of a failed run is kept.
 * Prints one line and exits the process, with 1 if any run failed.
 *
 * @template {{ readonly fault?: string }} Result
 * @param {object} options
 * @param {string} options.name of the temporary folder
 * @param {(place: { folder: string, random: () => number, number: number }) => Promise<Result>} options.run
 * @param {(results: readonly Result[]) => string} options.summary of all runs, without how many failed
 * @param {string} options.failure what a fault means
 */
export async function killLoop({ name, run, summary, failure }) {
  const runs = Number(process.argv[2] ?? 1000);
  const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
  const beside = Number(process.argv[4] ?? availableParallelism());
  const all = mkdtempSync(join(tmpdir(), `bough-${name}-`));
  const started = Date.now();
  const results = [];
  let next = 0;
  let failed = 0;
  const worker = async () => {
    while (next < runs) {
      const number = next++;
      const folder = join(all, String(seed + number));
      mkdirSync(folder);
      const result = await run({ folder, random: seededRandom(seed + number).next, number });
      results.push(result);
      if (result.fault === undefined) rmSync(folder, { recursive: true, force: true });
      else console.error(`seed ${seed + number}: ${result.fault}\n    left for a look: ${folder}`);
      if (result.fault !== undefined) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: beside }, worker));
  if (failed === 0) rmSync(all, { recursive: true, force: true });
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${runs} runs, ${summary(results)}, ${failed} ${failure}; seed ${seed}, ${seconds} s`);
  process.exit(failed === 0 ? 0 : 1);
}

/** @param {readonly number[]} numbers */
export function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}
