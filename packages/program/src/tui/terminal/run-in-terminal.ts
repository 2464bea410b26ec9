/** Runs a program in the terminal that was lent to it. */
import { spawn } from "node:child_process";
import { startProgram } from "@bough/session/log/index.js";

const NOT_FOUND = 127;

/** Its exit code; 127 if it could not be started. Ctrl+C is the program's own. */
export function runInTerminal(command: readonly string[], cwd: string): Promise<number> {
  const [program = "", ...args] = command;
  const { env } = process;
  const child = startProgram({ program, cwd, env }, (found) => spawn(found, args, { cwd, env, stdio: "inherit" }));
  return new Promise((resolve) => {
    child.once("error", () => resolve(NOT_FOUND));
    child.once("close", (code) => resolve(code ?? 1));
  });
}
