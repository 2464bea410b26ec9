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
// A file watcher or timer left by an implementation must not keep the run waiting.
process.exit(0);
