/** Runs the tool calls of one answer in parallel. */
import { setMaxListeners } from "node:events";
import type { ToolCallBlock, ToolResultMessage } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import type { ToolResultEventResult } from "../../extension/index.js";
import { withheldResult } from "../../extension/internal.js";
import { soundContent, type ToolResult } from "../../tool/index.js";
import type { OperationOptions } from "../agent-parts.js";
import type { RunParts } from "../run-parts.js";
import { appendMessage } from "./append-message.js";
import { errorResult, type PreparedCall, prepareCall, runCall } from "./call-tool.js";

/**
 * Runs the calls in parallel and appends their results in the order of the calls, each as soon as those before it are
 * there. Every call has a result in the session when this returns, also when the signal fires. Extensions are asked
 * about the calls in their order, one after the other; a call starts as soon as it is allowed. Throws only if the
 * session cannot be written; the other calls are stopped first. Returns the results, and whether they end the run. The
 * calls of an answer that uses a `sequential` tool run one after the other.
 */
export async function executeTools(
  parts: RunParts,
  calls: readonly ToolCallBlock[],
  { signal }: OperationOptions,
): Promise<{ readonly stop: boolean; readonly toolResults: readonly ToolResultMessage[] }> {
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  setMaxListeners(0, both);
  const running: Promise<FinishedCall>[] = [];
  const isSequential = calls.some(({ name }) => parts.toolNamed(name)?.executionMode === "sequential");
  let appended: Promise<unknown> = Promise.resolve();
  for (const call of calls) {
    await tellToolStart(parts, call);
    const prepared = await prepareCall(parts, call, { signal: both });
    parts.emit({ type: "tool_start", toolCallId: call.id, toolName: call.name, input: prepared.shown });
    const done = finishCall(parts, { call, prepared, signal: both, before: appended });
    appended = done.catch(() => undefined);
    // Handled below; this avoids an unhandled rejection until then.
    done.catch(() => failed.abort());
    running.push(done);
    if (isSequential) await appended;
  }
  const outcomes = await Promise.allSettled(running);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  const finished = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  const isEnded = finished.some(({ end }) => end === "stop") || finished.every(({ end }) => end === "terminate");
  return { stop: isEnded, toolResults: finished.map(({ message }) => message) };
}

interface FinishedCall {
  readonly message: ToolResultMessage;
  /** Whether it ends the run, either alone or if all others agree. */
  readonly end: "stop" | "terminate" | "no";
}

/** Emitted before guards are asked, with what the model sent, so that a blocked call has a start and an end too. */
async function tellToolStart({ hooks }: RunParts, { id, name, arguments: args }: ToolCallBlock): Promise<void> {
  if (!hooks.has("tool_execution_start")) return;
  await hooks.emit<"tool_execution_start">({ type: "tool_execution_start", toolCallId: id, toolName: name, args });
}

/** Gives every call a result without running it. */
export async function refuseTools(
  parts: RunParts,
  calls: readonly ToolCallBlock[],
  reason: string,
): Promise<readonly ToolResultMessage[]> {
  const results: ToolResultMessage[] = [];
  for (const call of calls) {
    const { message } = await appendMessage(parts, resultMessage(parts, call, errorResult(reason)));
    results.push(message);
  }
  return results;
}

/** The calls of an answer, without duplicate ids: two calls with the same id cannot be told apart. */
export function distinctCalls(content: readonly { readonly type: string }[]): ToolCallBlock[] {
  const calls = new Map<string, ToolCallBlock>();
  for (const block of content as readonly (ToolCallBlock | { readonly type: "other" })[]) {
    if (block.type === "toolCall" && !calls.has(block.id)) calls.set(block.id, block);
  }
  return [...calls.values()];
}

interface StartedCall {
  readonly call: ToolCallBlock;
  readonly prepared: PreparedCall;
  readonly signal: AbortSignal;
  /** Settles when the results of the calls before this one are in the session. */
  readonly before: Promise<unknown>;
}

async function finishCall(parts: RunParts, { call, prepared, signal, before }: StartedCall): Promise<FinishedCall> {
  const result =
    prepared.kind === "refused" ? prepared.result : await runCall(parts, prepared, { callId: call.id, call, signal });
  const message = await shownToExtensions(parts, resultMessage(parts, call, result), prepared);
  parts.emit({ type: "tool_end", toolCallId: call.id, toolName: call.name, result: message });
  await tellToolEnd(parts, message);
  await before;
  const { message: stored } = await appendMessage(parts, message);
  if (signal.aborted) return { message: stored, end: "no" };
  return { message: stored, end: result.stop === true ? "stop" : result.terminate === true ? "terminate" : "no" };
}

async function tellToolEnd(
  { hooks }: RunParts,
  { toolCallId, toolName, content, details, isError }: ToolResultMessage,
) {
  if (!hooks.has("tool_execution_end")) return;
  const result = { content, details } as ToolResult;
  await hooks.emit<"tool_execution_end">({ type: "tool_execution_end", toolCallId, toolName, result, isError });
}

function resultMessage(parts: RunParts, call: ToolCallBlock, result: ToolResult): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    ...defined({
      details: isDenied(parts, call, result) ? { ...denialDetails(result), denied: true } : result.details,
    }),
    isError: result.isError === true,
    timestamp: parts.now().getTime(),
  };
}

/** Whether a call failed because it was not allowed, which is not the fault of the tool. */
function isDenied({ denials }: RunParts, { id }: ToolCallBlock, { isError }: ToolResult): boolean {
  return isError === true && denials.some(({ toolCallId }) => toolCallId === id);
}

/** Details that are not an object cannot say anything besides. */
function denialDetails({ details }: { readonly details?: unknown }): object {
  return isRecord(details) ? details : {};
}

/**
 * Also for results of stopped calls, because an extension that removes secrets must see all of them. If it fails or
 * returns invalid content, the result is withheld.
 */
async function shownToExtensions(
  parts: RunParts,
  result: ToolResultMessage,
  { kind, shown }: PreparedCall,
): Promise<ToolResultMessage> {
  if (!parts.hooks.has("tool_result")) return result;
  const { toolName, toolCallId, content, details, isError } = result;
  const answers = await parts.hooks.emit<"tool_result">({
    type: "tool_result",
    toolName,
    toolCallId,
    input: shown,
    content,
    details,
    isError,
    result,
  });
  let changed = result;
  for (const { extension, result: change, failed } of answers) {
    // The result of a call that did not run is our own text, so nothing has to be withheld.
    if (failed === true && kind === "refused") continue;
    changed = changedResult(
      changed,
      isSoundChange(change) ? change : withheldResult({ extension, message: NO_CONTENT }),
    );
  }
  return changed;
}

const NO_CONTENT = "what it returned is not valid content";

function isSoundChange({ content }: ToolResultEventResult): boolean {
  return content === undefined || soundContent(content) !== undefined;
}

/** `details: null` removes them. */
function changedResult(result: ToolResultMessage, change: ToolResultEventResult): ToolResultMessage {
  const { details: before, ...rest } = result;
  const details = change.details === undefined ? before : change.details;
  return {
    ...rest,
    content: soundContent(change.content) ?? result.content,
    ...defined({ details: details ?? undefined }),
    isError: change.isError ?? result.isError,
  };
}
