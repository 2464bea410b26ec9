/**
 * A run: a prompt and everything that follows until the model has nothing more to do.
 *
 * How it works. `begin` appends the prompt before any model is asked, so a crash loses nothing (I2). Then come turns, each
 * in `run-turn.ts`: build the context from the leaf, compact it first if it would not fit, stream the answer, append it
 * whole, run its tools, append each result as soon as it is there. A model never throws and never retries by itself; the
 * turn decides about that, and every failure becomes a result or an outcome. Between turns the session is flushed and
 * what the user typed meanwhile is delivered: steering before the next model step, a follow-up when the run would end.
 * The run ends when the model calls no tool and nothing is queued, when a limit is reached, or when it is stopped; what
 * was not delivered goes back to the editor. Listeners that heard `run_start` always hear `run_end`, errors included. A
 * process that is killed in between leaves a valid file: calls without a result are shown to the model as interrupted.
 */
import { setImmediate as nextRound } from "node:timers/promises";
import { entryMessage } from "@bough/session/context/index.js";
import type { AgentMessage, AssistantMessage, EntryId } from "@bough/session/entry/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { errorText } from "@bough/session/text/index.js";
import type { ModelFailure } from "../../model/index.js";
import type { RunOutcome, ToolDenial } from "../agent-events.js";
import type { OperationOptions } from "../agent-parts.js";
import { compactIfNeeded } from "../compaction/automatic-compaction.js";
import type { RunParts } from "../run-parts.js";
import { appendCustomMessage, appendMessage } from "./append-message.js";
import type { QueuedPrompt } from "./message-queue.js";
import { promptContent } from "./prompt-content.js";
import { receiveInput } from "./receive-input.js";
import { recordServerTools } from "./record-server-tools.js";
import { resourceMessages } from "./resource-messages.js";
import type { RunLimits, RunMeter } from "./run-limits.js";
import { runTurn, type TurnOutcome } from "./run-turn.js";
import { appendFollowUps, appendQueuedMessages } from "./send-message.js";
import { requireModel } from "./stream-step.js";
import { OUTPUT_REMINDER, type OutputRequest } from "./structured-output.js";
import { tellMode } from "./tell-mode.js";

/** Options of one run, on top of the agent's settings. */
export interface RunOptions {
  /** Override the agent's limits one by one. */
  readonly limits?: RunLimits;
  readonly output?: OutputRequest;
  /** Done first, because extensions may still change what the model sees. */
  readonly before?: (options: OperationOptions) => Promise<void>;
}

/** The model may miss the requested form this often, in text or in calls of the answer tool. */
const MOST_MISSES = 3;

const NO_OUTPUT: ModelFailure = {
  kind: "no-output",
  message: "The model did not give its answer in the form that was asked for",
  hint: "Make the schema simpler, or ask another model.",
  retryable: false,
};

/**
 * Calls `begin`, which appends what starts the run, then takes turns. Steering is delivered after the tool calls of a
 * turn, before the next model step; a follow-up when the run would end. The session is flushed to disk at the end of
 * every turn. Throws if there is no model or the session cannot be written; front ends are notified of the end in that
 * case too.
 */
export async function runAgent(
  parts: RunParts,
  begin: () => Promise<void>,
  { meter, ...given }: RunOptions & { readonly meter: RunMeter },
): Promise<RunOutcome> {
  const options = { ...given, meter, signal: meter.signal };
  requireModel(parts);
  parts.denials.length = 0;
  parts.emit({ type: "run_start" });
  let start: { readonly id: EntryId | null } | undefined;
  try {
    await options.before?.(options);
    await tellStart(parts, options);
    start = { id: parts.session.getLeafId() };
    await begin();
    await prepareModel(parts, options);
    const outcome = await takeTurns(parts, options);
    // The caller that stopped it does not wait; the next operation does.
    if (!options.signal.aborted) await parts.files?.settled();
    void parts.files?.tidy(parts.now());
    await tellEnd(parts, start.id);
    if (outcome.kind === "done") parts.warmer?.settle();
    else parts.warmer?.drop();
    parts.emit({ type: "run_end", outcome, ...deniedCalls(parts) });
    return outcome;
  } catch (error) {
    parts.warmer?.drop();
    // Every listener that saw the start sees the end.
    if (start !== undefined) await tellEnd(parts, start.id);
    const hint = (error as { hint?: unknown } | null)?.hint;
    const failure = {
      kind: "unknown",
      message: errorText(error),
      ...(typeof hint === "string" ? { hint } : {}),
      retryable: false,
    } as const;
    parts.emit({ type: "run_end", outcome: { kind: "failed", failure }, ...deniedCalls(parts) });
    throw error;
  }
}

function deniedCalls({ denials }: RunParts): { readonly denials?: readonly ToolDenial[] } {
  return denials.length === 0 ? {} : { denials: [...denials] };
}

async function tellStart({ hooks }: RunParts, { signal }: OperationOptions): Promise<void> {
  if (hooks.has("agent_start")) await hooks.emit<"agent_start">({ type: "agent_start" }, { signal });
}

/** A local server may have loaded the model with a smaller context than it supports. */
async function prepareModel({ model, emit }: RunParts, { signal }: OperationOptions): Promise<void> {
  const told = await model?.prepare?.({ signal });
  if (told !== undefined) emit({ type: "notice", level: "warning", ...told });
}

/** Includes messages that arrived after `start`. */
export async function tellEnd(
  { hooks, session }: Pick<RunParts, "hooks" | "session">,
  start: EntryId | null,
): Promise<void> {
  if (!hooks.has("agent_end")) return;
  const messages: AgentMessage[] = [];
  for (const entry of upwards(session, session.getLeafId())) {
    if (entry.id === start) break;
    const message = entryMessage(entry);
    if (message !== null) messages.push(message);
  }
  await hooks.emit<"agent_end">({ type: "agent_end", messages: messages.reverse() });
}

async function takeTurns(
  parts: RunParts,
  { output, meter, signal }: OperationOptions & RunOptions & { readonly meter: RunMeter },
): Promise<RunOutcome> {
  let misses = 0;
  for (let turn = 1; ; turn++) {
    // Yield to timers, signals and other agents: an in-memory model and quick tools never wait.
    await nextRound();
    if (signal.aborted || meter.reached !== undefined) return stopped(parts, meter);
    parts.emit({ type: "turn_start", turn });
    const turnIndex = turn - 1;
    if (parts.hooks.has("turn_start")) {
      const timestamp = parts.now().getTime();
      await parts.hooks.emit<"turn_start">({ type: "turn_start", turn, turnIndex, timestamp }, { signal });
    }
    await tellMode(parts);
    await recordServerTools(parts, { signal });
    await compactIfNeeded(parts, { signal });
    // The summary may have used up what there was.
    if (meter.reached !== undefined) {
      parts.emit({ type: "turn_end", turn });
      return stopped(parts, meter);
    }
    const outcome = await runTurn(parts, { signal });
    meter.step();
    // Only the model request may overlap the file scan; anything else is written after it.
    const goesToModel = outcome.kind === "tools" && parts.queue.isEmpty && !parts.hooks.has("turn_end");
    if (!goesToModel && !signal.aborted) await parts.files?.settled();
    let isSteered = appendQueuedMessages(parts, "goes-on");
    await parts.session.flush();
    parts.emit({ type: "turn_end", turn });
    if (parts.hooks.has("turn_end")) {
      const { message, toolResults } = outcome;
      await parts.hooks.emit<"turn_end">({ type: "turn_end", turn, turnIndex, message, toolResults }, { signal });
      isSteered = appendQueuedMessages(parts, "goes-on") || isSteered;
    }
    if (outcome.kind === "aborted" || signal.aborted) return stopped(parts, meter);
    if (outcome.kind === "failed") {
      const { failure } = outcome;
      return isTriedAgain(failure) && meter.reached !== undefined ? stopped(parts, meter) : { kind: "failed", failure };
    }
    if (outcome.kind === "answered") output?.takeText(outcome.message);
    if (output !== undefined && isMiss(outcome, output)) misses += 1;
    const hasAnswer = output === undefined ? outcome.kind === "stopped" : output.taken() !== undefined;
    if (hasAnswer) return done(outcome.message, output);
    const isQueued = isSteered || parts.queue.next !== undefined || parts.queue.hasCustom("followUp");
    const goesOn = outcome.kind !== "answered" || output !== undefined || isQueued;
    if (goesOn && meter.reached !== undefined) return stopped(parts, meter);
    if (misses === MOST_MISSES) return { kind: "failed", failure: NO_OUTPUT };
    if ((await deliverSteering(parts, { signal })) || isSteered) continue;
    if (outcome.kind !== "answered" || appendFollowUps(parts) || (await deliverFollowUp(parts, { signal }))) continue;
    if (signal.aborted) return stopped(parts, meter);
    if (output === undefined) return done(outcome.message, output);
    await appendMessage(parts, { role: "user", content: OUTPUT_REMINDER, timestamp: parts.now().getTime() });
  }
}

/** Whether the step would have been repeated, given a budget. */
function isTriedAgain({ kind, retryable }: ModelFailure): boolean {
  return retryable || kind === "context-overflow";
}

/** Whether the model answered, in text or with the answer tool, but not in the requested form. */
function isMiss({ kind, toolResults }: TurnOutcome, output: OutputRequest): boolean {
  if (output.taken() !== undefined) return false;
  return kind === "answered" || toolResults.some(({ toolName }) => toolName === output.tool.name);
}

function done(message: AssistantMessage, output: OutputRequest | undefined): RunOutcome {
  const taken = output?.taken();
  return { kind: "done", message, ...(taken === undefined ? {} : { output: taken.value }) };
}

/** Returns the queue, so that nothing else is delivered. */
function stopped(parts: RunParts, meter: RunMeter): RunOutcome {
  const limit = meter.reached;
  if (limit === undefined) return { kind: "aborted" };
  parts.emit({ type: "notice", level: "warning", message: meter.told(limit), hint: "Send a prompt to continue." });
  return { kind: "aborted", limit };
}

async function deliverSteering(parts: RunParts, options: OperationOptions): Promise<boolean> {
  let delivered = false;
  const waiting = [...parts.queue.takeSteering()];
  try {
    for (let prompt = waiting[0]; prompt !== undefined; prompt = waiting[0]) {
      const onTaken = () => void waiting.shift();
      if (await deliver(parts, prompt, { ...options, onTaken, as: "steer" })) delivered = true;
    }
  } finally {
    // Empty unless the session could not be written.
    parts.queue.putBack({ steering: waiting });
  }
  return delivered;
}

/** The first follow-up that no extension handled. */
async function deliverFollowUp(parts: RunParts, options: OperationOptions): Promise<boolean> {
  for (let prompt = parts.queue.takeFollowUp(); prompt !== undefined; prompt = parts.queue.takeFollowUp()) {
    let taken = false;
    const onTaken = () => {
      taken = true;
    };
    try {
      if (await deliver(parts, prompt, { ...options, onTaken, as: "followUp" })) return true;
    } catch (error) {
      if (!taken) parts.queue.putBack({ followUp: [prompt] });
      throw error;
    }
  }
  return false;
}

/** Typed text becomes a message in the session, even if the run is stopped meanwhile: it was taken off the queue. */
async function deliver(
  parts: RunParts,
  prompt: QueuedPrompt,
  { signal, onTaken, as }: OperationOptions & { readonly onTaken: () => void; readonly as: "steer" | "followUp" },
): Promise<boolean> {
  const input = await receiveInput(parts, { ...prompt, streamingBehavior: as }, { signal });
  if (input.kind === "handled") {
    onTaken();
    return false;
  }
  const content = promptContent(parts, input.text, input.images);
  const resources = await resourceMessages(parts, input.text, { signal });
  await appendMessage(parts, { role: "user", content, timestamp: parts.now().getTime() }, { onTaken });
  for (const resource of resources) appendCustomMessage(parts, resource);
  return true;
}
