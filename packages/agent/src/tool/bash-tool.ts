/**
 * `bash`: runs a shell command with streamed output, a time limit and an output limit; stopping it kills its children.
 */

import { defined } from "@bough/session/text/index.js";
import { z } from "zod";
import { afterSandbox, listed } from "./after-sandbox.js";
import { defineTool, textResult } from "./define-tool.js";
import { askPermission, workPlace } from "./path/allowed-path.js";
import { onlyReads } from "./permission/only-reads.js";
import { commandEnvironment } from "./process/command-environment.js";
import { CommandOutput, type FinishedOutput, MAX_OUTPUT_CHARACTERS } from "./process/command-output.js";
import { commandShell, shellEnvironment } from "./process/command-shell.js";
import type { Job, Jobs } from "./process/jobs.js";
import { type ProcessEnd, type RunProcessOptions, runProcess } from "./process/run-process.js";
import type { Blocked, Sandbox, SandboxedCommand } from "./sandbox/sandbox.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";
import { failureSentence, ToolFailure } from "./tool-failure.js";

const LONGEST_SECONDS = 24 * 60 * 60;

export interface BashOptions {
  /**
   * Environment of the commands. Default: that of this process, without the keys of model providers. Pass your own to
   * hide more, or nothing.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** 120 by default. */
  readonly defaultTimeoutSeconds?: number;
  /** Time a stopped command gets to clean up before it is killed; 2000 by default. */
  readonly killGraceMs?: number;
  /** Runs the program elsewhere, such as in an editor's terminal. Default: a child process. */
  readonly runProcess?: (options: RunProcessOptions & { readonly callId: string }) => Promise<ProcessEnd>;
  /** Runs background commands. Without it, the tool has no `background` option. */
  readonly jobs?: Jobs;
  /**
   * Commands run inside it if it is on. If it is unavailable they run without it, which permissions take into account.
   */
  readonly sandbox?: Sandbox;
  /** Called with what the sandbox blocked of a background command, in words: no one is asked about those. */
  readonly onBlocked?: (command: string, blocked: string) => void;
}

const BACKGROUND = z
  .boolean()
  .optional()
  .describe(
    "Run it in the background without waiting, for example a server. Its output goes to a file you can read. It is stopped when the program quits.",
  );

export interface BashDetails {
  readonly command: string;
  readonly end: ProcessEnd["kind"];
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  readonly fullOutputPath?: string;
  /** Process group that the command left running in the background. */
  readonly leftRunning?: number;
  /** What the sandbox kept the command from, if anything. */
  readonly blocked?: readonly Blocked[];
  /** It was run again outside the sandbox, and this is how that ended. */
  readonly ranAgainOutside?: true;
}

export function bashTool(options: BashOptions = {}): Tool {
  const defaultSeconds = options.defaultTimeoutSeconds ?? 120;
  const input = z.strictObject({
    command: z
      .string()
      .min(1)
      .refine((command) => !command.includes("\0"), "a command cannot contain a NUL character")
      .describe("The command line."),
    timeout: z
      .number()
      .positive()
      .max(LONGEST_SECONDS)
      .optional()
      .describe(`Time limit in seconds (default ${defaultSeconds}).`),
    ...(options.jobs === undefined ? {} : { background: BACKGROUND }),
  });
  return defineTool({
    name: "bash",
    description:
      "Runs a command in a shell in the working directory and returns its output (standard output and error combined) " +
      `and exit code. Standard input is empty and there is no terminal. Long output is cut to its last ${MAX_OUTPUT_CHARACTERS} characters; ` +
      "the full output is saved to a file.",
    input,
    readOnly: false,
    permission: "own",
    timeLimit: "own",
    changesNothing: ({ command }, { cwd }) => onlyReads(command, cwd),
    run: async ({ command, timeout = defaultSeconds, background }, context) => {
      const { jobs } = options;
      if (background === true && jobs !== undefined) {
        const note = "Runs in the background until it ends or you quit; /jobs stops it.";
        const { outside } = await askPermission({ tool: "bash", action: "run", target: command, note }, context);
        return startJob({ command, jobs, options, outside, context });
      }
      const { outside } = await askPermission({ tool: "bash", action: "run", target: command }, context);
      return runCommand({ command, seconds: timeout, options, outside, context });
    },
  });
}

interface Command {
  readonly command: string;
  readonly seconds: number;
  readonly options: BashOptions;
  /** Permission was given to run it outside the sandbox. */
  readonly outside: true | undefined;
  readonly context: ToolContext;
}

async function runCommand(command: Command): Promise<ToolResult<BashDetails>> {
  const { seconds, options, context } = command;
  const { inside, output, end } = await runOnce(command);
  if (inside === undefined || options.sandbox === undefined) return resultOf({ command, output, end, notes: [] });
  const { blocked, problem } = await finished(inside, output.text);
  const ran = { command: command.command, end, blocked, sandbox: options.sandbox };
  const after = await afterSandbox(ran, context);
  const notes = [...after.notes, ...problem];
  if (!after.again) return resultOf({ command, output, end, notes, blocked });
  const again = await runOnce({ command: command.command, seconds, options, outside: true, context });
  notes.push("It was allowed to run again outside the sandbox, and this is the output of that run");
  return resultOf({ command, ...again, notes, blocked, ranAgainOutside: true });
}

interface RanOnce {
  /** Undefined if it ran outside the sandbox. */
  readonly inside: SandboxedCommand | undefined;
  readonly output: FinishedOutput;
  readonly end: ProcessEnd;
}

const NOT_SET_UP = "The sandbox could not be set up, and the command was not run";

const MOST_TRIES = 5;

/** What the sandbox was made for may be gone when it starts, such as a socket of another program: then it is made anew. */
async function runOnce(command: Command): Promise<RanOnce> {
  for (let tries = 1; ; tries++) {
    const ran = await tryOnce(command);
    if (!wasNotSetUp(ran)) return ran;
    await ran.inside?.finish();
    if (tries === MOST_TRIES) throw new ToolFailure(notSetUp(ran));
  }
}

function wasNotSetUp({ inside, end }: RanOnce): boolean {
  return inside?.hasRun() === false && end.kind === "exited";
}

function notSetUp({ inside, output }: RanOnce): string {
  return `${NOT_SET_UP}: ${inside?.problem?.() || output.text.trim()}`;
}

async function tryOnce(command: Command): Promise<RanOnce> {
  const { seconds, options, context } = command;
  const { inside, ...shell } = await shellFor({ ...command, isOwnProcess: options.runProcess === undefined });
  const output = new CommandOutput(context);
  try {
    const end = await (options.runProcess ?? runProcess)({
      callId: context.callId,
      ...shell,
      start: inside?.start,
      signal: context.signal,
      timeoutMs: seconds * 1000,
      onData: (chunk) => output.add(chunk),
      onGroup: context.onGroup,
    });
    if (end.leftRunning !== undefined) options.jobs?.adopt(command.command, end.leftRunning);
    return { inside, output: output.finish(), end };
  } catch (error) {
    output.finish();
    await inside?.finish().catch(() => undefined);
    throw error;
  }
}

/** The command has run: that it is unknown what was blocked must not lose its output. */
async function finished(inside: SandboxedCommand, printed?: string) {
  try {
    return { blocked: await inside.finish(printed), problem: [] };
  } catch (error) {
    return { blocked: [], problem: [`It is unknown what the sandbox blocked: ${failureSentence(error)}`] };
  }
}

/**
 * The shell process to start, inside the sandbox if there is one. Throws if the command cannot be wrapped: an error never
 * lets it run outside.
 */
async function shellFor({ command, options, outside, context, isOwnProcess }: ShellOptions) {
  const { sandbox } = options;
  // One pipe for both outputs, so that errors appear in order; on the same line, so that line numbers stay correct.
  const line = `exec 2>&1; ${command}`;
  const isInside = outside !== true && (await sandbox?.ready())?.kind === "on";
  const { cwd } = await workPlace(context.cwd);
  const env = {
    ...shellEnvironment(options.env ?? commandEnvironment(process.env), cwd),
    ...(context.mark === undefined ? {} : { BOUGH_CALL: context.mark }),
  };
  const { callId, signal } = context;
  const inside = isInside ? await sandbox?.wrap(line, { callId, signal, ...(isOwnProcess ? { env } : {}) }) : undefined;
  return {
    inside,
    program: commandShell().program,
    args: ["-c", inside?.line ?? line],
    cwd,
    env,
    killGraceMs: options.killGraceMs ?? 2000,
  };
}

interface ShellOptions extends Omit<Command, "seconds"> {
  /** Whether this process starts it, with pipes for its output. */
  readonly isOwnProcess: boolean;
}

async function startJob({
  command,
  jobs,
  options,
  outside,
  context,
}: Omit<Command, "seconds"> & { readonly jobs: Jobs }): Promise<ToolResult<BackgroundDetails>> {
  // The command outlives the call that starts it, so the call's signal does not end it.
  const lasting = { ...context, signal: new AbortController().signal };
  const { inside, ...shell } = await shellFor({ command, options, outside, context: lasting, isOwnProcess: false });
  const name = `job-${context.callId.replace(/[^A-Za-z0-9_-]/g, "").slice(-60)}`;
  const { onGroup } = context;
  const job = jobs.start({
    ...shell,
    onGroup,
    command,
    folder: context.outputDir,
    name,
    onEnd: () => {
      if (inside === undefined) return undefined;
      void finished(inside).then(({ blocked }) => {
        if (blocked.length > 0) options.onBlocked?.(command, listed(blocked));
      });
      return inside.hasRun()
        ? undefined
        : [NOT_SET_UP, inside.problem?.() ?? ""].filter((text) => text !== "").join(": ");
    },
  });
  const where =
    job.outputPath === undefined ? "Its output could not be saved." : `Its output goes to ${job.outputPath}`;
  return textResult(`Started job ${job.id} in the background. ${where}`, { ...job });
}

export interface BackgroundDetails extends Job {}

interface Finished {
  readonly command: Command;
  readonly output: FinishedOutput;
  readonly end: ProcessEnd;
  /** About the sandbox. */
  readonly notes: readonly string[];
  readonly blocked?: readonly Blocked[];
  readonly ranAgainOutside?: true;
}

function resultOf(finished: Finished): ToolResult<BashDetails> {
  const { command, output, end, blocked = [], ranAgainOutside } = finished;
  const { text, truncated, totalBytes, fullOutputPath, problem: missing } = output;
  const notes: string[] = [];
  if (truncated) {
    const where = fullOutputPath === undefined ? "" : `. The full output is in ${fullOutputPath}`;
    const problem = missing === undefined ? "" : ` (${missing})`;
    notes.push(`Only the end of ${totalBytes} bytes of output is shown${where}${problem}`);
  }
  if (end.leftRunning !== undefined) {
    notes.push(
      `A process is still running in the background; its later output is not shown. Stop it with: kill -- -${end.leftRunning}`,
    );
  }
  const status = statusOf(end, command.seconds);
  notes.push(...finished.notes, ...(status === undefined ? [] : [status]));
  const body = text.trim() === "" ? "(no output)" : text;
  const details: BashDetails = defined({
    command: command.command,
    end: end.kind,
    exitCode: end.exitCode,
    signal: end.signal ?? undefined,
    truncated,
    totalBytes,
    fullOutputPath,
    leftRunning: end.leftRunning,
    blocked: blocked.length === 0 ? undefined : blocked,
    ranAgainOutside,
  });
  return {
    content: [{ type: "text", text: [body, ...notes.map((note) => `[${note}]`)].join("\n") }],
    details,
    isError: status !== undefined,
  };
}

/** Undefined for success. */
function statusOf({ kind, exitCode, signal }: ProcessEnd, seconds: number): string | undefined {
  if (kind === "timeout") return `Stopped after the time limit of ${seconds} seconds`;
  if (kind === "aborted") return "Stopped by the user";
  if (signal !== null) return `Killed by ${signal}`;
  return exitCode === 0 ? undefined : `Exit code ${exitCode}`;
}
