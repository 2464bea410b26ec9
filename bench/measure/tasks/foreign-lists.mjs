/** Runs the program on a copy of a home with transcripts, or reads these; measures time and CPU time of the process. */
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPieces } from "../read-pieces.mjs";

const PROGRAM = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
/** Writes the CPU time of the whole process, in microseconds, to a descriptor of its own when it ends. */
const TELL_CPU = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)); });",
)}`;

/**
 * `before` runs first, in the same home (with `settle` when the copies are old enough to be trusted); then the files in `grow` get one more record. Without `run`, reads `paths`.
 *
 * @param {{
 *   dir: string, run?: readonly string[], before?: readonly string[], settle?: boolean, grow?: readonly string[],
 *   paths?: readonly string[], home?: "empty", lines?: number, code?: number,
 * }} input
 */
export function run({ dir, run: args, before, settle = false, grow = [], paths = [], home, lines, code = 0 }) {
  if (args === undefined) return readAll(paths.map((path) => join(dir, path)));
  const folder = mkdtempSync(join(tmpdir(), "bough-bench-"));
  try {
    if (home !== "empty") cpSync(dir, folder, { recursive: true });
    const start = (/** @type {readonly string[]} */ given) =>
      spawnSync(process.execPath, ["--import", TELL_CPU, PROGRAM, ...given], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore", "pipe"],
        env: { PATH: process.env.PATH, HOME: folder, BOUGH_HOME: join(folder, ".bough") },
      });
    if (before !== undefined) {
      // What was just written is read once more: see KnownFiles.
      if (settle) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
      start(before);
    }
    for (const path of grow) appendFileSync(join(folder, path), "{}\n");
    const from = performance.now();
    const done = start(args);
    const ms = performance.now() - from;
    const printed = done.stdout.split("\n").length - 1;
    const right = done.status === code && (lines === undefined || printed === lines);
    const check = right ? "right" : `exit ${done.status}, ${printed} lines`;
    return { ms, check, extra: { cpu: Number(done.output[3]) / 1000 } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} paths */
function readAll(paths) {
  const before = process.cpuUsage();
  const from = performance.now();
  for (const path of paths) readPieces(path, () => {});
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(before);
  return { ms, check: "right", extra: { cpu: (user + system) / 1000 } };
}
