/** `bash`: a command in a shell, streamed, limited in time and length, and gone with all its children when stopped. */
import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { defineTool } from "./define-tool.js";
import { askPermission, workPlace } from "./path/allowed-path.js";
import { commandEnvironment } from "./process/command-environment.js";
import { dropKeptFile, OutputKeeper } from "./process/output-keeper.js";
import { type ProcessEnd, runProcess } from "./process/run-process.js";
import type { Tool, ToolContext, ToolResult } from "./tool.js";

const MAX_OUTPUT_CHARACTERS = 30_000;
const UPDATE_CHARACTERS = 4000;
const MAX_FILE_BYTES = 512 * 1024 * 1024;
const LONGEST_SECONDS = 24 * 60 * 60;

export interface BashOptions {
  /**
   * What commands find in their environment; that of this process by default, without the keys of model providers.
   * Callers that want to keep more from commands, or nothing, pass their own environment.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** 120 by default. */
  readonly defaultTimeoutSeconds?: number;
  /** How long a stopped command may take to clean up before it is killed; 2000 by default. */
  readonly killGraceMs?: number;
}

export interface BashDetails {
  readonly command: string;
  readonly end: ProcessEnd["kind"];
  readonly exitCode: number | null;
  readonly signal?: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  readonly fullOutputPath?: string;
  /** The process group of something that still runs in the background. */
  readonly leftRunning?: number;
}

export function bashTool(options: BashOptions = {}): Tool {
  const defaultSeconds = options.defaultTimeoutSeconds ?? 120;
  const input = z.strictObject({
    command: z
      .string()
      .min(1)
      .refine((command) => !command.includes("\0"), "a command cannot hold a NUL character")
      .describe("The command line."),
    timeout: z
      .number()
      .positive()
      .max(LONGEST_SECONDS)
      .optional()
      .describe(`Time limit in seconds (default ${defaultSeconds}).`),
  });
  return defineTool({
    name: "bash",
    description:
      "Runs a command in a shell in the working directory and returns its output (standard output and error combined) " +
      `and exit code. Standard input is empty and there is no terminal. Long output is cut to its last ${MAX_OUTPUT_CHARACTERS} characters; ` +
      "all of it is saved to a file.",
    input,
    readOnly: false,
    permission: "own",
    timeLimit: "own",
    run: async ({ command, timeout = defaultSeconds }, context) => {
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
  const keeper = new OutputKeeper({
    folder: context.outputDir,
    name: `bash-${context.callId.replace(/[^A-Za-z0-9_-]/g, "").slice(-60)}`,
    // UTF-8 has at most three bytes per UTF-16 unit, so this always holds the characters that are shown.
    keepBytes: MAX_OUTPUT_CHARACTERS * 3,
    fileAfterBytes: MAX_OUTPUT_CHARACTERS,
    maxFileBytes: MAX_FILE_BYTES,
  });
  const update = sizedUpdates(keeper, context);
  let end: ProcessEnd;
  try {
    end = await runProcess({
      program: existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh",
      // One pipe for both outputs, so that errors are where they happened; on the same line, so that line numbers hold.
      args: ["-c", `exec 2>&1; ${command}`],
      cwd: (await workPlace(context.cwd)).cwd,
      env: options.env ?? commandEnvironment(process.env),
      signal: context.signal,
      timeoutMs: seconds * 1000,
      killGraceMs: options.killGraceMs ?? 2000,
      onData: (chunk) => {
        keeper.add(chunk);
        update(chunk.length);
      },
    });
  } catch (error) {
    keeper.close();
    throw error;
  }
  return resultOf({ command, seconds, keeper, end });
}

/**
 * The end of the output so far, after every sixteenth of growth or 4 kB. By size and not by time: a slow command shows
 * every line, a fast one is not slowed down by being watched.
 */
function sizedUpdates(keeper: OutputKeeper, { onUpdate }: ToolContext): (bytes: number) => void {
  let unseen = 0;
  return (bytes) => {
    unseen += bytes;
    if (unseen < Math.min(keeper.total / 16, 4096)) return;
    unseen = 0;
    const bytesShown = wholeCharacters(keeper.end(UPDATE_CHARACTERS * 3));
    onUpdate({ text: lastPart(cleanOutput(bytesShown), UPDATE_CHARACTERS), details: { totalBytes: keeper.total } });
  };
}

interface Finished {
  readonly command: string;
  readonly seconds: number;
  readonly keeper: OutputKeeper;
  readonly end: ProcessEnd;
}

function resultOf({ command, seconds, keeper, end }: Finished): ToolResult<BashDetails> {
  const bytes = keeper.end(keeper.total);
  const text = cleanOutput(wholeCharacters(bytes));
  const shown = lastPart(text, MAX_OUTPUT_CHARACTERS);
  const truncated = bytes.length < keeper.total || shown.length < text.length;
  const kept = keeper.close();
  if (!truncated) dropKeptFile(kept);

  const notes: string[] = [];
  if (truncated) {
    const where = kept.path === undefined ? "" : `. The whole output is in ${kept.path}`;
    const problem = kept.problem === undefined ? "" : ` (${kept.problem})`;
    notes.push(`Only the end of ${keeper.total} bytes of output is shown${where}${problem}`);
  }
  if (end.leftRunning !== undefined) {
    notes.push(
      `A process is still running in the background; its later output is not shown. Stop it with: kill -- -${end.leftRunning}`,
    );
  }
  const status = statusOf(end, seconds);
  if (status !== undefined) notes.push(status);
  const body = shown.trim() === "" ? "(no output)" : trimEndOf(shown, "\n");
  const details: BashDetails = {
    command,
    end: end.kind,
    exitCode: end.exitCode,
    ...(end.signal === null ? {} : { signal: end.signal }),
    truncated,
    totalBytes: keeper.total,
    ...(truncated && kept.path !== undefined ? { fullOutputPath: kept.path } : {}),
    ...(end.leftRunning === undefined ? {} : { leftRunning: end.leftRunning }),
  };
  return {
    content: [{ type: "text", text: [body, ...notes.map((note) => `[${note}]`)].join("\n") }],
    details,
    ...(status === undefined ? {} : { isError: true }),
  };
}

/** What to say about an end that was not a success. */
function statusOf({ kind, exitCode, signal }: ProcessEnd, seconds: number): string | undefined {
  if (kind === "timeout") return `Stopped after the time limit of ${seconds} seconds`;
  if (kind === "aborted") return "Stopped by the user";
  if (signal !== null) return `Ended by ${signal}`;
  return exitCode === 0 ? undefined : `Exit code ${exitCode}`;
}

/**
 * Colors and cursor movements go; of a line that was drawn over (`\r`) the last drawing stays; other control characters
 * go; wrong UTF-8 becomes U+FFFD.
 */
function cleanOutput(bytes: Buffer): string {
  return stripVTControlCharacters(bytes.toString("utf8"))
    .split("\n")
    .map(lastDrawing)
    .join("\n")
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}

function lastDrawing(line: string): string {
  const text = trimEndOf(line, "\r");
  return text.slice(text.lastIndexOf("\r") + 1);
}

/** A regular expression would try every run of the character again from each of its places. */
function trimEndOf(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

/** The end of a text: at most this many characters, beginning at a line where that costs little, never inside a character. */
function lastPart(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let from = text.length - maxCharacters;
  const code = text.charCodeAt(from);
  if (code >= 0xdc00 && code <= 0xdfff) from++;
  const line = text.indexOf("\n", from);
  return text.slice(line >= 0 && line - from < maxCharacters / 10 ? line + 1 : from);
}

/** Bytes from the middle of a stream may begin inside a character; its rest says nothing. */
function wholeCharacters(bytes: Buffer): Buffer {
  let from = 0;
  while (from < 3 && from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.subarray(from);
}
