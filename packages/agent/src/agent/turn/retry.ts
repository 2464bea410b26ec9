/** Retries a model step if that may help. */
import type { ModelRequest, StepPurpose } from "../../model/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";
import { planRetry } from "./plan-retry.js";
import { type StepResult, streamStep } from "./stream-step.js";

/**
 * One model step, retried with back-off. Retried attempts leave no message in the session, only their cost; the last
 * attempt is returned, whatever its outcome. No attempt is made once the budget of the run is used up.
 */
export async function stepWithRetry(
  parts: RunParts,
  request: ModelRequest,
  { signal }: OperationOptions,
): Promise<StepResult> {
  let purpose: StepPurpose = purposeOf(request);
  for (let attempt = 1; ; attempt++) {
    const result = await streamStep(parts, request, { signal, purpose });
    if (result.failure === undefined || signal.aborted) return result;
    const plan = planRetry(result.failure, attempt, parts.retry);
    if (plan.kind === "give-up" || parts.meter?.reached !== undefined) return result;
    result.draft?.discard();
    recordLostUsage(parts, result);
    parts.emit({ type: "retry", attempt, delayMs: plan.delayMs, failure: result.failure });
    await parts.sleep(plan.delayMs, { signal });
    if (signal.aborted) return stopped(result);
    purpose = { kind: "retry", failed: result.message };
  }
}

/** Messages of extensions are not the user's. */
function purposeOf({ messages }: ModelRequest): StepPurpose {
  const last = messages.findLast(({ role }) => role !== "custom");
  return { kind: last?.role === "user" ? "prompt" : "continuation" };
}

/** Tokens that were paid for count even if the answer is discarded. */
export function recordLostUsage(parts: RunParts, { message }: StepResult): void {
  const { usage, provider, model } = message;
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return;
  const id = parts.session.appendUsage({ kind: "failed-step", provider, model, usage });
  parts.emit({ type: "entries", ids: [id] });
}

/** Stopped while waiting: nothing arrived, and usage was already recorded. */
function stopped({ message }: StepResult): StepResult {
  const { errorMessage: _failure, ...rest } = message;
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return { message: { ...rest, content: [], usage, stopReason: "aborted" } };
}
