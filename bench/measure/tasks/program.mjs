/** Runs Node or the program in its own process and counts the lines it prints. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/**
 * The program has a home of its own, which is empty, or where it ran once before (`again`).
 *
 * @param {{ args: readonly string[], program?: boolean, some?: boolean, again?: boolean }} input
 */
export function run({ args, program = false, some = false, again = false }) {
  const home = mkdtempSync(join(tmpdir(), "bough-bench-"));
  const start = () =>
    execFileSync(process.execPath, program ? [PROGRAM, ...args] : [...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 1 << 28,
      env: { ...process.env, BOUGH_HOME: home },
    });
  try {
    if (again) start();
    const from = performance.now();
    const printed = start();
    const ms = performance.now() - from;
    const lines = printed.split("\n").length - 1;
    return { ms, check: some ? (lines > 0 ? "lines" : "nothing") : lines };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
