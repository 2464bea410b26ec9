/** One answer of the model, with everything that is done to get one: compaction, retries, a second try after overflow. */
import type { ModelRequest } from "../../model/index.js";
import type { OperationOptions } from "../agent-parts.js";
import { compactAutomatically, compactIfNeeded } from "../compaction/automatic-compaction.js";
import type { RunParts } from "../run-parts.js";
import { recordLostUsage, stepWithRetry } from "./retry.js";
import type { StepResult } from "./stream-step.js";

/**
 * Asks the model with the context at the leaf. A context that would not fit is compacted first; one that the provider
 * finds too long is compacted and sent once more, exactly once. Appends no message: what it returns is the caller's.
 */
export async function answerStep(parts: RunParts, { signal }: OperationOptions): Promise<StepResult> {
  await compactIfNeeded(parts, { signal });
  const first = await stepWithRetry(parts, modelRequest(parts), { signal });
  if (first.failure?.kind !== "context-overflow" || signal.aborted) return first;
  if (!(await compactAutomatically(parts, { signal })) || signal.aborted) return first;
  first.draft?.discard();
  recordLostUsage(parts, first);
  return stepWithRetry(parts, modelRequest(parts), { signal });
}

/** The request for the next step. The same path, prompt and tools give the same bytes, also after a restart. */
function modelRequest(parts: RunParts): ModelRequest {
  return {
    system: parts.systemPrompt,
    messages: parts.session.buildSessionContext().messages,
    tools: parts.tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    thinkingLevel: parts.thinkingLevel,
  };
}
