/** One turn: a model step, and the tool calls it asked for. */
import type { AgentMessage, AssistantMessage, ToolCallBlock, ToolResultMessage } from "@bough/session/entry/index.js";
import type { ModelFailure, ModelRequest } from "../../model/index.js";
import type { OperationOptions } from "../agent-parts.js";
import { compactAutomatically } from "../compaction/automatic-compaction.js";
import type { RunParts } from "../run-parts.js";
import { appendMessage } from "./append-message.js";
import { distinctCalls, executeTools, refuseTools } from "./execute-tools.js";
import { recordLostUsage, stepWithRetry } from "./retry.js";
import type { StepResult } from "./stream-step.js";
import { withSurroundings } from "./tell-surroundings.js";

export type TurnOutcome = { readonly toolResults: readonly ToolResultMessage[] } & TurnEnd;

type TurnEnd =
  /** Tools were called, so the model sees their results next. */
  | { readonly kind: "tools"; readonly message: AssistantMessage }
  /** Tools were called, and one of them ends the run. */
  | { readonly kind: "stopped"; readonly message: AssistantMessage }
  | { readonly kind: "answered"; readonly message: AssistantMessage }
  | { readonly kind: "aborted"; readonly message: AssistantMessage }
  | { readonly kind: "failed"; readonly message: AssistantMessage; readonly failure: ModelFailure };

export const UNFINISHED_ANSWER_RESULT = "Not run: the response was interrupted.";

/**
 * Runs one turn. The answer is saved before its tools start, and every result as soon as it arrives. A partial answer
 * that failed or was stopped is kept; its calls are not run, and their results say so.
 */
export async function runTurn(parts: RunParts, { signal }: OperationOptions): Promise<TurnOutcome> {
  parts.warmer?.drop();
  const { message: answer, failure, draft, request } = await answerStep(parts, { signal });
  if (failure === undefined && parts.model !== undefined) parts.warmer?.keep(parts.model, request, answer.usage);
  // File changes of the previous step are recorded below it.
  await parts.files?.settled();
  const { message } = await appendMessage(parts, answer, { onTaken: () => draft?.discard() });
  const calls = distinctCalls(message.content);
  if (message.stopReason === "aborted" || message.stopReason === "error") {
    const toolResults = await refuseTools(parts, calls, UNFINISHED_ANSWER_RESULT);
    if (message.stopReason === "aborted" || signal.aborted) return { kind: "aborted", message, toolResults };
    return { kind: "failed", message, toolResults, failure: failure ?? unexplained(message) };
  }
  if (message.stopReason === "length") {
    parts.emit({
      type: "notice",
      level: "warning",
      message: "The answer hit the model's output limit",
      hint: 'Say "continue", or ask for smaller steps.',
      about: "output-limit",
    });
  }
  const { stop, toolResults } =
    calls.length > 0 ? await executeFollowed(parts, calls, { signal }) : { stop: false, toolResults: [] };
  if (signal.aborted) return { kind: "aborted", message, toolResults };
  if (stop) return { kind: "stopped", message, toolResults };
  return { kind: calls.length > 0 ? "tools" : "answered", message, toolResults };
}

/** Runs tools between two file scans. The second continues while the model already runs. */
async function executeFollowed(parts: RunParts, calls: readonly ToolCallBlock[], options: OperationOptions) {
  try {
    return await executeTools(parts, calls, options);
  } finally {
    parts.files?.afterTools(calls);
  }
}

function unexplained(message: AssistantMessage): ModelFailure {
  return { kind: "unknown", message: message.errorMessage ?? "The model failed without a reason", retryable: false };
}

/**
 * Asks the model with the context at the leaf. A context that the provider rejects as too long is compacted and sent
 * again, exactly once. Appends no message; the caller does.
 */
async function answerStep(
  parts: RunParts,
  { signal }: OperationOptions,
): Promise<StepResult & { readonly request: ModelRequest }> {
  const request = await modelRequest(parts, { signal });
  const first = { ...(await stepWithRetry(parts, request, { signal })), request };
  if (first.failure?.kind !== "context-overflow" || signal.aborted) return first;
  if (!(await compactAutomatically(parts, { signal, reason: "overflow" })) || signal.aborted) return first;
  if (parts.meter?.reached !== undefined) return first;
  first.draft?.discard();
  recordLostUsage(parts, first);
  const shorter = await modelRequest(parts, { signal });
  return { ...(await stepWithRetry(parts, shorter, { signal })), request: shorter };
}

/**
 * The request for the next step. The same path, prompt and tools give the same bytes, also after a restart, unless an
 * extension changes the messages of this one request.
 */
async function modelRequest(parts: RunParts, { signal }: OperationOptions): Promise<ModelRequest> {
  const context = await parts.session.buildSessionContextInSlices();
  const messages = parts.hooks.has("context")
    ? await changedContext(parts, context.messages, { signal })
    : context.messages;
  return {
    system: parts.systemPrompt,
    messages: parts.tellsSurroundings ? withSurroundings(messages) : messages,
    tools: parts.tools
      .filter(({ needs }) => needs === undefined || parts.model?.searchesWeb === true)
      .map(({ name, description, parameters }) => ({ name, description, parameters })),
    thinkingLevel: parts.thinkingLevel,
  };
}

/** Extensions get a copy they may change. */
async function changedContext(
  { hooks }: RunParts,
  messages: readonly AgentMessage[],
  { signal }: OperationOptions,
): Promise<readonly AgentMessage[]> {
  const copy = structuredClone(messages) as AgentMessage[];
  const answers = await hooks.emit<"context">({ type: "context", messages: copy }, { signal });
  const changed = answers.findLast(({ result }) => Array.isArray(result?.messages))?.result.messages;
  return changed ?? copy;
}
