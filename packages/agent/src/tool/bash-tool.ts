/**
 * `bash`: runs a shell command with streamed output, a time limit and an output limit; stopping it kills its children.
 */

import { defined } from "@bough/session/text/index.js";
import { z } from "zod";
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
        await askPermission({ tool: "bash", action: "run", target: command, note }, context);
        return startJob({ command, jobs, options, context });
      }
      await askPermission({ tool: "bash", action: "run", target: command }, context);
      return runCommand({ command, seconds: timeout, options, context });
    },
  });
}

interface Command {
  readonly command: string;
  readonly seconds: number;
  readonly options: BashOptions;
  readonly context: ToolContext;
}

async function runCommand({ command, seconds, options, context }: Command): Promise<ToolResult<BashDetails>> {
  const { inside, ...shell } = await shellFor(command, { options, context });
  const output = new CommandOutput(context);
  let end: ProcessEnd;
  try {
    end = await (options.runProcess ?? runProcess)({
      callId: context.callId,
      ...shell,
      signal: context.signal,
      timeoutMs: seconds * 1000,
      onData: (chunk) => output.add(chunk),
      onGroup: context.onGroup,
    });
  } catch (error) {
    output.finish();
    await inside?.finish();
    throw error;
  }
  const printed = output.finish();
  const blocked = (await inside?.finish(printed.text)) ?? [];
  if (end.leftRunning !== undefined) options.jobs?.adopt(command, end.leftRunning);
  return resultOf({ command, seconds, output: printed, end, sandbox: sandboxNote({ inside, blocked, end }) });
}

/** The shell process to start, inside the sandbox if there is one. */
async function shellFor(command: string, { options, context }: Pick<Command, "options" | "context">) {
  const { sandbox } = options;
  // One pipe for both outputs, so that errors appear in order; on the same line, so that line numbers stay correct.
  const line = `exec 2>&1; ${command}`;
  const inside = (await sandbox?.ready())?.kind === "on" ? await sandbox?.wrap(line, context) : undefined;
  const { cwd } = await workPlace(context.cwd);
  return {
    inside,
    program: commandShell().program,
    args: ["-c", inside?.line ?? line],
    cwd,
    env: {
      ...shellEnvironment(options.env ?? commandEnvironment(process.env), cwd),
      ...(context.mark === undefined ? {} : { BOUGH_CALL: context.mark }),
    },
    killGraceMs: options.killGraceMs ?? 2000,
  };
}

async function startJob({
  command,
  jobs,
  options,
  context,
}: Omit<Command, "seconds"> & { readonly jobs: Jobs }): Promise<ToolResult<BackgroundDetails>> {
  // The command outlives the call that starts it, so the call's signal does not end it.
  const lasting = { ...context, signal: new AbortController().signal };
  const { inside, ...shell } = await shellFor(command, { options, context: lasting });
  const name = `job-${context.callId.replace(/[^A-Za-z0-9_-]/g, "").slice(-60)}`;
  const { onGroup } = context;
  const job = jobs.start({
    ...shell,
    onGroup,
    command,
    folder: context.outputDir,
    name,
    onEnd: () => void inside?.finish(),
  });
  const where =
    job.outputPath === undefined ? "Its output could not be saved." : `Its output goes to ${job.outputPath}`;
  return textResult(`Started job ${job.id} in the background. ${where}`, { ...job });
}

export interface BackgroundDetails extends Job {}

interface Finished {
  readonly command: string;
  readonly seconds: number;
  readonly output: FinishedOutput;
  readonly end: ProcessEnd;
  readonly sandbox: string | undefined;
}

interface Inside {
  readonly inside: SandboxedCommand | undefined;
  readonly blocked: readonly Blocked[];
  readonly end: ProcessEnd;
}

/** A command that failed inside the sandbox may have failed because of it. */
function sandboxNote({ inside, blocked, end }: Inside): string | undefined {
  if (inside === undefined || (end.exitCode === 0 && blocked.length === 0)) return undefined;
  const limits =
    "Ran in a sandbox: writes only in the working directory and temporary folders, no key files, network only to allowed hosts";
  if (blocked.length === 0) return limits;
  return `${limits}. Blocked: ${blocked.slice(0, 5).map(blockedText).join("; ")}`;
}

function blockedText({ kind, what, movedTo }: Blocked): string {
  if (kind === "moved") return `${what} decides what runs later, and was moved to ${movedTo}`;
  if (kind === "network") return `connection to ${what}`;
  return kind === "socket" ? `socket ${what}` : `${kind} ${what}`;
}

function resultOf({ command, seconds, output, end, sandbox }: Finished): ToolResult<BashDetails> {
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
  if (sandbox !== undefined) notes.push(sandbox);
  const status = statusOf(end, seconds);
  if (status !== undefined) notes.push(status);
  const body = text.trim() === "" ? "(no output)" : text;
  const details: BashDetails = defined({
    command,
    end: end.kind,
    exitCode: end.exitCode,
    signal: end.signal ?? undefined,
    truncated,
    totalBytes,
    fullOutputPath,
    leftRunning: end.leftRunning,
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
