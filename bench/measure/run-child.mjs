/**
 * Starts a fresh Node process for one measurement.
 *
 * @typedef {{ ms: number, peak: number, check?: number | string | null, extra?: Record<string, number> }} Measured
 *
 * `ms` is what the task timed, without the start of the process; `check` says what the work gave, so that a wrong
 * answer is not taken for a fast one.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BOUGH } from "../implementations.mjs";

const CHILD = fileURLToPath(new URL("./child.mjs", import.meta.url));
const MINUTES = 15;

/**
 * @param {string} task
 * @param {Record<string, unknown>} input
 * @param {number} [minutes] when it is stopped
 * @returns {Measured}
 */
export function runChild(task, input, minutes = MINUTES) {
  // Only tasks that hold everything in memory get more than Node's default; others run as on people's machines.
  const heap =
    task === "raw-parse" || (typeof input.engine === "string" && input.engine !== BOUGH.engine)
      ? ["--max-old-space-size=8192"]
      : [];
  // Forcing a collection is the only way to tell freed memory from memory that is not collected yet.
  const collector = task === "many-sessions" || task === "files-scan" ? ["--expose-gc"] : [];
  const done = spawnSync(process.execPath, [...heap, ...collector, CHILD, JSON.stringify({ task, ...input })], {
    encoding: "utf8",
    timeout: minutes * 60_000,
    maxBuffer: 1 << 26,
    // The fourth is for progress messages; see say.mjs.
    stdio: ["pipe", "pipe", "pipe", 2],
  });
  const answer = done.stdout?.trimEnd().split("\n").at(-1) ?? "";
  if (done.status === 0 && answer.startsWith("{")) return JSON.parse(answer);
  const words = done.stderr?.split("\n").find((line) => /Error|error/.test(line)) ?? done.error?.message ?? "";
  throw new Error(`${task} failed (${done.signal ?? `exit ${done.status}`}): ${words.trim()}`);
}

/**
 * Runs several tasks in one process, where nothing is measured.
 *
 * @param {readonly { task: string, input: Record<string, unknown> }[]} jobs
 * @returns {(Measured | string)[]} what each gave, or how it failed
 */
export function runChildOnce(jobs) {
  const tasks = jobs.map(({ task, input }) => ({ task, ...input }));
  const done = spawnSync(process.execPath, ["--expose-gc", CHILD, JSON.stringify(tasks)], {
    encoding: "utf8",
    timeout: MINUTES * 60_000,
    maxBuffer: 1 << 26,
    stdio: ["pipe", "pipe", "pipe", 2],
  });
  const answer = done.stdout?.trimEnd().split("\n").at(-1) ?? "";
  if (done.status === 0 && answer.startsWith("[")) return JSON.parse(answer);
  return jobs.map(({ task }) => `${task} failed (${done.signal ?? `exit ${done.status}`}): ${done.stderr}`);
}

/** Memory of a Node process that does nothing, in bytes: the baseline of every peak. */
export function emptyProcessPeak() {
  const { href } = new URL("./peak-memory.mjs", import.meta.url);
  const script = `import(${JSON.stringify(href)}).then((m) => console.log(m.peakMemory()))`;
  const peaks = Array.from({ length: 5 }, () => Number(spawnSync(process.execPath, ["-e", script]).stdout.toString()));
  return peaks.toSorted((a, b) => a - b)[2] ?? 0;
}
