/** Runs Node, or the program, in a process of its own and counts the lines it prints. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** @param {{ args: readonly string[], program?: boolean, some?: boolean }} input */
export function run({ args, program = false, some = false }) {
  const start = performance.now();
  const printed = execFileSync(process.execPath, program ? [PROGRAM, ...args] : [...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1 << 28,
  });
  const ms = performance.now() - start;
  const lines = printed.split("\n").length - 1;
  return { ms, check: some ? (lines > 0 ? "lines" : "nothing") : lines };
}
