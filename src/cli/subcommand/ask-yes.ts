/** One question on the terminal. */
import { createInterface } from "node:readline/promises";
import { withoutControls } from "../../text/index.js";
import { usageError } from "../cli-error.js";
import type { SubcommandCall } from "./subcommand.js";

/** Whether the person agrees. Throws wrong usage where nobody can be asked. Asked on standard error: the output stays clean. */
export async function askYes(question: string, { signal }: Pick<SubcommandCall, "signal">): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw usageError("Cannot ask for confirmation: not a terminal", "Pass --yes to confirm.");
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Reading keys, the terminal no longer makes a signal of Ctrl+C.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await lines.question(`${withoutControls(question)} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
