/** One turn: a model step, and the tool calls it asked for. */
import type { AssistantMessage } from "../../entry/index.js";
import type { ModelFailure } from "../../model/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";
import { answerStep } from "./answer-step.js";
import { appendMessage } from "./append-message.js";
import { distinctCalls, executeTools, refuseTools } from "./execute-tools.js";

export type TurnOutcome =
  /** Tools were called: the model gets to see what came of it. */
  | { readonly kind: "tools"; readonly message: AssistantMessage }
  | { readonly kind: "answered"; readonly message: AssistantMessage }
  | { readonly kind: "aborted"; readonly message: AssistantMessage }
  | { readonly kind: "failed"; readonly message: AssistantMessage; readonly failure: ModelFailure };

/** Front ends that show the answer itself show this there. */
export const OUTPUT_LIMIT_NOTICE = "The answer hit the model's output limit";

export const UNFINISHED_ANSWER_RESULT = "Not run: the response was interrupted.";

/**
 * Runs one turn. The answer is in the session before its tools start, and every result as soon as it is there. An
 * answer that failed or was stopped is kept as far as it came; its calls are not run and have results that say so.
 */
export async function runTurn(parts: RunParts, { signal }: OperationOptions): Promise<TurnOutcome> {
  const { message, failure, draft } = await answerStep(parts, { signal });
  await appendMessage(parts, message, { onTaken: () => draft?.discard() });
  const calls = distinctCalls(message.content);
  if (message.stopReason === "aborted" || message.stopReason === "error") {
    await refuseTools(parts, calls, UNFINISHED_ANSWER_RESULT);
    if (message.stopReason === "aborted" || signal.aborted) return { kind: "aborted", message };
    return { kind: "failed", message, failure: failure ?? unexplained(message) };
  }
  if (message.stopReason === "length") {
    parts.emit({
      type: "notice",
      level: "warning",
      message: OUTPUT_LIMIT_NOTICE,
      hint: 'Say "continue", or ask for smaller steps.',
    });
  }
  if (calls.length > 0) await executeTools(parts, calls, { signal });
  if (signal.aborted) return { kind: "aborted", message };
  return { kind: calls.length > 0 ? "tools" : "answered", message };
}

function unexplained(message: AssistantMessage): ModelFailure {
  return { kind: "unknown", message: message.errorMessage ?? "The model failed without a reason", retryable: false };
}
