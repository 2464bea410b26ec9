/** A run: a prompt and everything that follows until the model has nothing more to do. */
import { setImmediate as nextRound } from "node:timers/promises";
import { errorText } from "../../text/index.js";
import type { RunOutcome } from "../agent-events.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";
import { appendMessage } from "./append-message.js";
import type { QueuedPrompt } from "./message-queue.js";
import { promptContent } from "./prompt-content.js";
import { receiveInput } from "./receive-input.js";
import { runTurn, type TurnOutcome } from "./run-turn.js";
import { appendQueuedMessages } from "./send-message.js";
import { requireModel } from "./stream-step.js";

/**
 * Calls `begin`, which appends what starts the run, then takes turns. Steering is delivered after the tool calls of a
 * turn, before the next model step; a follow-up when the run would end. The session is on the medium at the end of
 * every turn. Throws if there is no model or the session cannot be written, and front ends learn about the end then
 * too.
 */
export async function runAgent(
  parts: RunParts,
  begin: () => Promise<void>,
  { signal }: OperationOptions,
): Promise<RunOutcome> {
  requireModel(parts);
  parts.emit({ type: "run_start" });
  try {
    await begin();
    const outcome = await takeTurns(parts, { signal });
    parts.emit({ type: "run_end", outcome });
    return outcome;
  } catch (error) {
    const hint = (error as { hint?: unknown } | null)?.hint;
    const failure = {
      kind: "unknown",
      message: errorText(error),
      ...(typeof hint === "string" ? { hint } : {}),
      retryable: false,
    } as const;
    parts.emit({ type: "run_end", outcome: { kind: "failed", failure } });
    throw error;
  }
}

async function takeTurns(parts: RunParts, { signal }: OperationOptions): Promise<RunOutcome> {
  for (let turn = 1; ; turn++) {
    // Timers, signals and other agents get their turn too: a model in memory and quick tools never wait for anything.
    await nextRound();
    if (signal.aborted) return { kind: "aborted" };
    parts.emit({ type: "turn_start", turn });
    if (parts.hooks.has("turn_start")) await parts.hooks.emit<"turn_start">({ type: "turn_start", turn }, { signal });
    const outcome = await runTurn(parts, { signal });
    appendQueuedMessages(parts);
    await parts.session.flush();
    parts.emit({ type: "turn_end", turn });
    if (parts.hooks.has("turn_end")) {
      await parts.hooks.emit<"turn_end">({ type: "turn_end", turn, message: outcome.message }, { signal });
    }
    const ended = runEnd(outcome, signal);
    if (ended !== undefined) return ended;
    if (turn >= parts.maxSteps && (outcome.kind === "tools" || parts.queue.next !== undefined))
      return stepLimit(parts, turn);
    if (await deliverSteering(parts, { signal })) continue;
    if (outcome.kind === "answered" && !(await deliverFollowUp(parts, { signal }))) {
      return signal.aborted ? { kind: "aborted" } : { kind: "done", message: outcome.message };
    }
  }
}

/** Nothing more is delivered: what is queued is given back. */
function stepLimit(parts: RunParts, steps: number): RunOutcome {
  const message = `Stopped after ${steps} ${steps === 1 ? "step" : "steps"}, the limit for one run`;
  parts.emit({ type: "notice", level: "warning", message, hint: "Send a prompt to continue." });
  return { kind: "step-limit", steps };
}

/** How the run ends after this turn, whatever is queued; undefined if it may continue. */
function runEnd(outcome: TurnOutcome, signal: AbortSignal): RunOutcome | undefined {
  if (outcome.kind === "aborted" || signal.aborted) return { kind: "aborted" };
  return outcome.kind === "failed" ? { kind: "failed", failure: outcome.failure } : undefined;
}

async function deliverSteering(parts: RunParts, options: OperationOptions): Promise<boolean> {
  let delivered = false;
  const waiting = [...parts.queue.takeSteering()];
  try {
    for (let prompt = waiting[0]; prompt !== undefined; prompt = waiting[0]) {
      const onTaken = () => void waiting.shift();
      if (await deliver(parts, prompt, { ...options, onTaken })) delivered = true;
    }
  } finally {
    // Empty unless the session could not be written.
    parts.queue.putBack({ steering: waiting });
  }
  return delivered;
}

/** The first follow-up that no extension took for itself. */
async function deliverFollowUp(parts: RunParts, options: OperationOptions): Promise<boolean> {
  for (let prompt = parts.queue.takeFollowUp(); prompt !== undefined; prompt = parts.queue.takeFollowUp()) {
    let taken = false;
    const onTaken = () => {
      taken = true;
    };
    try {
      if (await deliver(parts, prompt, { ...options, onTaken })) return true;
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
  { text, images }: QueuedPrompt,
  { signal, onTaken }: OperationOptions & { readonly onTaken: () => void },
): Promise<boolean> {
  const input = await receiveInput(parts, text, { signal });
  if (input.kind === "handled") {
    onTaken();
    return false;
  }
  const content = promptContent(parts, input.text, images);
  await appendMessage(parts, { role: "user", content, timestamp: parts.now().getTime() }, { onTaken });
  return true;
}
