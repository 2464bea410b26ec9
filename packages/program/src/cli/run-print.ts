/** `bough -p`: one prompt, one answer. */

import { fstatSync } from "node:fs";
import type { ModelFailure, ModelInfo, RunLimits, RunOutcome, ToolDenial } from "@bough/agent/agent/index.js";
import { checkOutputSchema } from "@bough/agent/agent/internal.js";
import { silentUi } from "@bough/agent/extension/run.js";
import { knownPrices } from "@bough/agent/model/index.js";
import { defined, errorText, noticeLine } from "@bough/session/text/index.js";
import type { SessionSyncOptions } from "@bough/workbench/store/internal.js";
import { usageError } from "./cli-error.js";
import type { CliRequest } from "./cli-options.js";
import { errorReportOf, errorReportText, exitCodeOf } from "./error-report.js";
import { EXITS, type ExitReason, exitReasonOf } from "./exit-codes.js";
import type { Interruption } from "./interruption.js";
import { eventUpdate } from "./output/event-updates.js";
import type { ProtocolOutput } from "./output/protocol-output.js";
import type { PrintOutput } from "./print-output.js";
import { schemaIn } from "./run-flags.js";
import { type RunFacts, runResult } from "./run-result.js";
import { safeJson } from "./safe-json.js";
import { prepareAgent } from "./start/prepare-agent.js";
import { openAgent } from "./start/start-agent.js";
import type { StartedAgent } from "./start/started-agent.js";
import { textOutput } from "./text-output.js";

type PrintRequest = Extract<CliRequest, { kind: "print" }>;

export interface ModeParts {
  readonly version: string;
  readonly interruption: Interruption;
}

/** Returns the exit code. Throws if nothing could be started. */
export async function runPrint(request: PrintRequest, { version, interruption }: ModeParts): Promise<number> {
  const begun = performance.now();
  const output = outputFor(request, await interruption.takeOutput());
  const denials: ToolDenial[] = [];
  let started: StartedAgent | undefined;
  let isTold = false;
  const tellResult = (reason: ExitReason, { outcome, error }: Partial<Pick<RunFacts, "outcome" | "error">> = {}) => {
    if (isTold) return;
    isTold = true;
    const place = started && { ...placeOf(started), runUsage: started.agent.runUsage };
    const durationMs = Math.round(performance.now() - begun);
    output.result(runResult({ version, reason, outcome, error, denials, place, durationMs }));
  };
  /** If a signal is ending the process, its exit code wins. */
  const endReason = () => (interruption.endCode === undefined ? undefined : exitReasonOf(interruption.endCode));
  const reported = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const report = errorReportOf(error);
      const ending = endReason();
      if (ending === undefined) output.errorReport(report);
      tellResult(ending ?? exitReasonOf(exitCodeOf(error)), ending === undefined ? { error: report } : {});
      throw error;
    }
  };
  const schema = await reported(async () => schemaFor(request));
  const prepared = await reported(() =>
    prepareAgent(request.agent, {
      ui: (relay) => silentUi((message, level) => relay.notice(level, message)),
      hasUi: false,
      mode: request.output === "stream" ? "json" : "print",
      standIn: isForScript() ? "refused" : "said",
      syncs: true,
      tellSync,
      version,
    }),
  );
  const prompt = await reported(() => wholePrompt({ ...request, ...defined({ prompt: prepared.prompt }) }));
  const opened = await reported(() => openAgent(prepared));
  started = opened;
  interruption.onEnd(async () => {
    try {
      await opened.close();
    } finally {
      const ending = endReason();
      if (ending !== undefined) tellResult(ending);
    }
  });
  await reported(async () =>
    requirePrice(opened.agent.driver === undefined ? opened.agent.model?.info : undefined, request.limits),
  );
  interruption.isUnfinished = true;
  output.begin(opened.header);
  let last: RunOutcome | undefined;
  opened.listen((event) => {
    output.event(event);
    if (event.type === "run_end") {
      last = event.outcome;
      denials.push(...(event.denials ?? []));
    }
  });
  return reported(async () => {
    await opened.begin();
    const { limits } = request;
    const outcome = await opened.submit(prompt, schema === undefined ? { limits } : { limits, output: schema });
    // An extension may have started another run with its message; the last answer counts.
    await opened.agent.whenIdle();
    interruption.isUnfinished = false;
    const final = outcome.kind === "cancelled" ? outcome : (last ?? outcome);
    output.end(final);
    tellDenials(denials);
    const ending = endReason();
    if (ending === undefined) tellFailure(final);
    const reason = ending ?? reasonOf(final, { isRefused: request.strict && denials.length > 0 });
    tellResult(reason, { outcome: final });
    return EXITS[reason].code;
  });
}

function placeOf({ header: { sessionId, sessionFile, model } }: StartedAgent) {
  return { sessionId, sessionFile, model };
}

/** The schema of `--schema`, checked before anything else happens. Throws a usage error. */
function schemaFor({ schema: file }: PrintRequest): Readonly<Record<string, unknown>> | undefined {
  if (file === undefined) return undefined;
  const schema = schemaIn(file);
  try {
    checkOutputSchema(schema);
  } catch (error) {
    throw usageError(`--schema: ${file}: ${errorText(error)}`);
  }
  return schema as Readonly<Record<string, unknown>>;
}

/** A cost limit needs known prices. Throws a usage error. */
function requirePrice(model: ModelInfo | undefined, { dollars }: RunLimits): void {
  if (dollars === undefined || model === undefined || knownPrices(model) !== undefined) return;
  throw usageError(
    `--max-cost: The price of ${model.provider}/${model.id} is unknown, so its cost cannot be limited`,
    "Set `prices` for it in settings (models.providers), or use --max-turns and --timeout.",
  );
}

/** One line, because the answer alone does not show what the model was not allowed to do. */
function tellDenials(denials: readonly ToolDenial[]): void {
  if (denials.length === 0) return;
  const names = [...new Set(denials.map(({ toolName }) => toolName))].join(", ");
  const count = denials.length === 1 ? "1 tool call was" : `${denials.length} tool calls were`;
  const isFinal = denials.every(({ reason }) => reason.startsWith("Refused by rule deny "));
  const hint = isFinal
    ? "Rules that deny hold in every mode, also against --allow. To permit them, change the rule."
    : "To permit them, use --allow or --permission.";
  process.stderr.write(errorReportText({ message: `${count} refused (${names})`, hint }));
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

function tellFailure(outcome: RunOutcome): void {
  // A notice already said which limit it was.
  if (outcome.kind === "aborted" && outcome.limit === undefined)
    process.stderr.write(errorReportText({ message: "The run was stopped" }));
  if (outcome.kind === "failed") process.stderr.write(errorReportText(outcome.failure));
}

function reasonOf(outcome: RunOutcome, { isRefused }: { readonly isRefused: boolean }): ExitReason {
  switch (outcome.kind) {
    case "done":
    case "cancelled":
      return isRefused ? "refused-tool" : "success";
    case "aborted":
      return outcome.limit === undefined ? "failure" : "limit-reached";
    case "failed":
      return FAILURE_EXITS[outcome.failure.kind] ?? "model-failed";
  }
}

const FAILURE_EXITS: Readonly<Partial<Record<ModelFailure["kind"], ExitReason>>> = {
  "no-key": "no-model",
  "no-output": "schema-not-met",
};

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
  if (output === "stream") return jsonOutput(stdout);
  const text = textOutput({
    write: (text) => stdout.send(text),
    writeError: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    verbose: verbose || process.stderr.isTTY === true,
  });
  if (output === "text") return text;
  // Progress and warnings go to standard error, as with text.
  return { ...text, end: () => {}, result: (result) => stdout.send(`${safeJson(result)}\n`) };
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
    result: () => {},
  };
}
