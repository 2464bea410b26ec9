/** `bough sandbox run`: runs a command in the sandbox, on this terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Blocked, Sandbox } from "@bough/agent/tool/index.js";
import { commandShell } from "@bough/agent/tool/internal.js";
import { shellWord } from "@bough/session/text/index.js";
import { blockedWords } from "@bough/session/view/internal.js";
import { CliError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";
import { sandboxHere } from "./sandbox-here.js";

/** The exit code is that of the command. One word is a line for a shell; several are a program and its arguments. */
export async function run({ args, flags, out, places: { cwd }, signal }: SubcommandCall): Promise<number> {
  const { sandbox } = sandboxHere(cwd, flags.all("allow"));
  try {
    const state = await sandbox.ready();
    if (state.kind !== "on") {
      throw new CliError("no-sandbox", `The sandbox does not work here: ${state.reason}`, { hint: state.fix });
    }
    const command = args.length === 1 ? (args[0] ?? "") : args.map(shellWord).join(" ");
    const output = out.json ? 2 : 1;
    let ran = await runOnce(sandbox, { command, cwd, signal, output });
    // Something that it was made for may have gone meanwhile, such as a socket of another program.
    for (let tries = 1; !ran.hasRun && tries < MOST_TRIES; tries++) {
      ran = await runOnce(sandbox, { command, cwd, signal, output });
    }
    const { exitCode, blocked } = ran;
    if (!ran.hasRun) {
      const why = ran.problem === "" ? "" : `: ${ran.problem}`;
      throw new CliError("no-sandbox", `The sandbox could not be set up, and the command was not run${why}`);
    }
    if (out.json) out.value({ exitCode, blocked });
    else for (const one of blocked) out.notice(`bough: The sandbox blocked ${blockedWords(one)}`);
    return exitCode;
  } finally {
    await sandbox.close();
  }
}

const MOST_TRIES = 5;

interface RunOptions {
  readonly command: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Where standard output goes. */
  readonly output: 1 | 2;
}

async function runOnce(sandbox: Sandbox, options: RunOptions) {
  const { line, finish, hasRun, problem } = await sandbox.wrap(options.command, {
    callId: "run",
    signal: options.signal,
  });
  let blocked: readonly Blocked[] = [];
  let exitCode: number;
  try {
    exitCode = await ended(line, options);
  } finally {
    blocked = await finish();
  }
  return { exitCode, blocked, hasRun: hasRun() || options.signal.aborted, problem: problem?.() ?? "" };
}

async function ended(line: string, { cwd, signal, output }: RunOptions): Promise<number> {
  const child = spawn(commandShell().program, ["-c", line], { cwd, stdio: [0, output, 2] });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [code, killedBy] = await once(child, "close");
    return code ?? 128 + (constants.signals[killedBy as NodeJS.Signals] ?? 0);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
