/**
 * Runs one task in this fresh process and prints what it measured as one line of JSON; or several tasks one after
 * another, where what they answer counts and not how long they take.
 *
 * The task module is the only thing loaded beside this file, so that peak memory is the task's own.
 */
import { peakMemory } from "./peak-memory.mjs";

const given = JSON.parse(process.argv[2] ?? "{}");
const measured = Array.isArray(given) ? await runEach(given) : await runOne(given);
process.stdout.write(`\n${JSON.stringify(measured)}\n`);
// Exit even if an implementation left a file watcher or a timer.
process.exit(0);

/** @param {{ task: string }} job */
async function runOne({ task, ...input }) {
  const { run } = await import(`./tasks/${task}.mjs`);
  const result = await run(input);
  return { ...result, peak: peakMemory() };
}

/** @param {{ task: string }[]} jobs */
async function runEach(jobs) {
  const all = [];
  for (const job of jobs) {
    try {
      all.push(await runOne(job));
    } catch (error) {
      all.push(`${job.task} failed: ${error instanceof Error ? error.message : error}`);
    }
  }
  return all;
}
