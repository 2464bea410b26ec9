/** Runs npm or git for an installation. Their output is used for the error message, without passwords. */
import { errorText } from "@bough/session/text/index.js";
import { runProcess } from "../../tool/internal.js";
import { InstallError } from "./install-error.js";
import { withoutPassword } from "./install-source.js";

interface ProgramRun {
  readonly program: "npm" | "git";
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
}

const TIME_LIMIT_MS = 15 * 60_000;
const KILL_GRACE_MS = 2_000;
const MOST_OUTPUT = 1 << 20;
/** Number of output lines shown in an error. */
const LAST_LINES = 12;

/** Returns the output. Throws `install-failed`, or the reason of the signal. */
export async function runProgram({ program, args, cwd, signal, env }: ProgramRun): Promise<string> {
  signal.throwIfAborted();
  let output = "";
  const end = await runProcess({
    program,
    args,
    cwd,
    env: { ...process.env, ...env },
    signal,
    timeoutMs: TIME_LIMIT_MS,
    killGraceMs: KILL_GRACE_MS,
    onData: (chunk) => {
      if (output.length < MOST_OUTPUT) output += chunk.toString();
    },
  }).catch((error: unknown) => {
    throw failed(program, errorText(error));
  });
  signal.throwIfAborted();
  if (end.kind === "timeout") throw failed(program, "it took longer than 15 minutes");
  if (end.exitCode !== 0) throw failed(program, lastLines(output) || `exit code ${end.exitCode}`);
  return output;
}

function lastLines(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("npm warn"));
  return lines.slice(-LAST_LINES).join("\n");
}

function failed(program: string, reason: string): InstallError {
  return new InstallError("install-failed", `${program} failed: ${withoutPassword(reason)}`, {
    data: { program },
    hint: `Check the name and the network, and that ${program} works here. Nothing was installed.`,
  });
}
