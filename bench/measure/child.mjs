/**
 * Runs one task in this fresh process and prints what it measured as one line of JSON.
 *
 * The task module is the only thing loaded beside this file, so that peak memory is the task's own.
 */
import { peakMemory } from "./peak-memory.mjs";

const { task, ...input } = JSON.parse(process.argv[2] ?? "{}");
const { run } = await import(`./tasks/${task}.mjs`);
const result = await run(input);
process.stdout.write(`\n${JSON.stringify({ ...result, peak: peakMemory() })}\n`);
// Exit even if an implementation left a file watcher or a timer.
process.exit(0);
