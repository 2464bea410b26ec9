/** `bough -p`: one prompt, one answer. */

import { fstatSync } from "node:fs";
import type { RunOutcome, ToolDenial } from "@bough/agent/agent/index.js";
import { silentUi } from "@bough/agent/extension/run.js";
import { defined, noticeLine } from "@bough/session/text/index.js";
import type { SessionSyncOptions } from "@bough/workbench/store/internal.js";
import { usageError } from "./cli-error.js";
import type { CliRequest } from "./cli-options.js";
import { errorReportOf, errorReportText } from "./error-report.js";
import type { Interruption } from "./interruption.js";
import { eventUpdate } from "./output/event-updates.js";
import type { ProtocolOutput } from "./output/protocol-output.js";
import type { PrintOutput } from "./print-output.js";
import { safeJson } from "./safe-json.js";
import { prepareAgent } from "./start/prepare-agent.js";
import { openAgent } from "./start/start-agent.js";
import { textOutput } from "./text-output.js";

type PrintRequest = Extract<CliRequest, { kind: "print" }>;

export interface ModeParts {
  readonly version: string;
  readonly interruption: Interruption;
}

/** Returns the exit code. Throws if nothing could be started. */
export async function runPrint(request: PrintRequest, { version, interruption }: ModeParts): Promise<number> {
  const output = outputFor(request, await interruption.takeOutput());
  const reported = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      output.errorReport(errorReportOf(error));
      throw error;
    }
  };
  const prepared = await reported(
    prepareAgent(request.agent, {
      ui: (relay) => silentUi((message, level) => relay.notice(level, message)),
      hasUi: false,
      mode: request.output === "json" ? "json" : "print",
      standIn: isForScript() ? "refused" : "said",
      syncs: true,
      tellSync,
      version,
    }),
  );
  const prompt = await wholePrompt({ ...request, ...defined({ prompt: prepared.prompt }) });
  const started = await reported(openAgent(prepared));
  interruption.onEnd(() => started.close());
  output.begin(started.header);
  let last: RunOutcome | undefined;
  const denials: ToolDenial[] = [];
  started.listen((event) => {
    output.event(event);
    if (event.type === "run_end") {
      last = event.outcome;
      denials.push(...(event.denials ?? []));
    }
  });
  try {
    await started.begin();
    const outcome = await started.submit(prompt);
    // An extension may have started another run with its message; the last answer counts.
    await started.agent.whenIdle();
    const final = outcome.kind === "cancelled" ? outcome : (last ?? outcome);
    output.end(final);
    tellDenials(denials);
    if (interruption.isEnding) return 1;
    return exitCodeFor(final) || (request.strict && denials.length > 0 ? 1 : 0);
  } catch (error) {
    if (!interruption.isEnding) output.errorReport(errorReportOf(error));
    throw error;
  }
}

/** One line, because the answer alone does not show what the model was not allowed to do. */
function tellDenials(denials: readonly ToolDenial[]): void {
  if (denials.length === 0) return;
  const names = [...new Set(denials.map(({ toolName }) => toolName))].join(", ");
  const count = denials.length === 1 ? "1 tool call was" : `${denials.length} tool calls were`;
  process.stderr.write(
    errorReportText({ message: `${count} refused (${names})`, hint: "To permit them, use --allow or --permission." }),
  );
}

/** Whether a program rather than a person will read the answer. */
function isForScript(): boolean {
  const { CI = "" } = process.env;
  return process.stdout.isTTY !== true || !["", "0", "false"].includes(CI.toLowerCase());
}

/** Standard output is for the answer or the agent's events. Success is not reported. */
const tellSync: SessionSyncOptions["tell"] = (level, notice) => {
  if (level !== "info") process.stderr.write(errorReportText({ message: noticeLine(notice) }));
};

function exitCodeFor(outcome: RunOutcome): number {
  switch (outcome.kind) {
    case "done":
    case "cancelled":
      return 0;
    case "aborted":
      // A notice already said which limit it was.
      if (outcome.limit === undefined) process.stderr.write(errorReportText({ message: "The run was stopped" }));
      return 1;
    case "failed":
      process.stderr.write(errorReportText(outcome.failure));
      return 1;
  }
}

async function wholePrompt({ prompt, explicit }: PrintRequest): Promise<string> {
  if (!explicit && !isPiped()) {
    if (/^[a-z][a-z-]*$/.test(prompt)) {
      throw usageError(
        `Unknown command ${prompt}`,
        `To send it as a prompt: bough -p ${prompt}. For a list of commands: bough --help`,
      );
    }
    throw usageError(
      "Not a terminal, and no prompt on standard input",
      'Pass a prompt: bough -p "your prompt", or pipe one: echo "your prompt" | bough. For usage: bough --help',
    );
  }
  const piped = await readPiped({
    onWait: () => {
      const hint = "To skip it: bough -p ... < /dev/null";
      process.stderr.write(errorReportText({ message: "Waiting for the end of standard input", hint }));
    },
  });
  const whole = [prompt, piped].filter((part) => part !== "").join("\n\n");
  if (whole.trim() !== "") return whole;
  throw usageError("No prompt given", 'Give one: bough -p "your prompt", or pipe it: echo "your prompt" | bough');
}

function outputFor({ output, verbose }: PrintRequest, stdout: ProtocolOutput): PrintOutput {
  if (output === "json") return jsonOutput(stdout);
  return textOutput({
    write: (text) => stdout.send(text),
    writeError: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    verbose: verbose || process.stderr.isTTY === true,
  });
}

/** How long to wait silently before saying what we are waiting for. */
const PATIENCE_MS = 3000;

/**
 * All text on standard input if something is piped or redirected into it; otherwise nothing, at once. Many programs
 * give their children a pipe that they never close, so `onWait` is called if nothing has arrived for a while.
 */
async function readPiped({ onWait }: { readonly onWait: () => void }): Promise<string> {
  if (!isPiped()) return "";
  const chunks: Buffer[] = [];
  const waiting = setTimeout(onWait, PATIENCE_MS);
  for await (const chunk of process.stdin) {
    clearTimeout(waiting);
    chunks.push(chunk as Buffer);
  }
  clearTimeout(waiting);
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** A terminal and `/dev/null` are devices: the first never ends, and the second is empty. */
function isPiped(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // There is no standard input at all.
    return false;
  }
}

/** One JSON object on each line: the header, every event, and an error if something was thrown. */
export function jsonOutput(output: Pick<ProtocolOutput, "send" | "update">): PrintOutput {
  const encode = (value: object) => `${safeJson(value)}\n`;
  const line = (value: object) => output.send(encode(value));
  return {
    begin: line,
    event: (event) => {
      const update = eventUpdate(event);
      if (update === undefined) line(event);
      else output.update(update, encode);
    },
    end: () => {},
    errorReport: (errorReport) => line({ type: "error", ...errorReport }),
  };
}
