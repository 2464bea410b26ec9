/** Asks for confirmation in a terminal. */
import { createInterface } from "node:readline/promises";
import { withoutControls } from "@bough/session/text/index.js";
import { usageError } from "../cli-error.js";
import type { SubcommandCall } from "./subcommand.js";

/** Whether the user agrees. Throws a usage error if it cannot ask. Asks on standard error to keep the output clean. */
export async function askYes(question: string, { signal }: Pick<SubcommandCall, "signal">): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw usageError("Cannot ask for confirmation: not a terminal", "Pass --yes to confirm.");
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // In raw mode, the terminal does not turn Ctrl+C into a signal.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await lines.question(`${withoutControls(question)} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
