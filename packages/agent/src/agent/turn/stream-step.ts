/** One model step as front ends see it: chunks as they arrive, then the whole message. */
import type { AssistantBlock, AssistantMessage } from "@bough/session/entry/index.js";
import { AnswerDraft, addPiece, type DraftPiece } from "@bough/session/session/internal.js";
import { errorText } from "@bough/session/text/index.js";
import {
  knownPrices,
  type LanguageModel,
  type ModelEvent,
  type ModelFailure,
  type ModelInfo,
  type ModelRequest,
  pricedUsage,
  type StreamOptions,
} from "../../model/index.js";
import { AgentError } from "../agent-error.js";
import type { OperationOptions } from "../agent-parts.js";
import { LiveAnswer } from "../extension/live-answer.js";
import { providerHooks } from "../extension/provider-hooks.js";
import type { RunParts } from "../run-parts.js";
import { NamedCalls } from "./named-calls.js";
import { type Settled, settleOrAbandon } from "./settle-or-abandon.js";

export interface StepResult {
  readonly message: AssistantMessage;
  readonly failure?: ModelFailure;
  /** The partial answer on disk: delete it once the message is saved or not needed. */
  readonly draft?: AnswerDraft;
}

type EndEvent = Extract<ModelEvent, { type: "end" }>;

/**
 * Runs one step. Always returns a message: if the model throws, goes silent or ignores the stop signal, it contains
 * what had arrived.
 */
export async function streamStep(
  parts: RunParts,
  request: ModelRequest,
  { signal, purpose }: OperationOptions & Pick<StreamOptions, "purpose">,
): Promise<StepResult> {
  const model = requireModel(parts);
  const blocks: AssistantBlock[] = [];
  const draft = startDraft(parts, model);
  let heard = true;
  const live = new LiveAnswer(parts, model.info);
  const calls = new NamedCalls(parts.servers?.resolve);
  parts.emit({ type: "message_start", role: "assistant" });
  await live.begin();
  const consume = async (): Promise<EndEvent | undefined> => {
    const { idleTimeoutMs } = parts.retry;
    const options = {
      signal,
      purpose,
      idleTimeoutMs,
      now: () => parts.now().getTime(),
      ...providerHooks(parts, { signal }),
    };
    for await (const sent of model.stream(request, options)) {
      if (!heard) return undefined;
      const event = calls.take(sent);
      if (event === undefined) continue;
      if (event.type === "end") return event;
      const piece = pieceOf(event);
      if (piece !== undefined) {
        addPiece(blocks, piece);
        draft?.add(piece);
      }
      report(parts, event);
      if (live.isHeard) await live.update(event, blocks);
    }
    return undefined;
  };
  const settled = await settleOrAbandon(consume(), { signal, sleep: parts.sleep });
  heard = false;
  if (settled.kind === "done" && settled.value !== undefined) {
    const { failure } = settled.value;
    const message = withCost(settled.value.message, model.info);
    parts.meter?.spend(pricedUsage(message.usage, knownPrices(model.info)));
    return { message, failure, draft };
  }
  return { ...unfinished(model, { blocks, settled, signal, timestamp: parts.now().getTime() }), draft };
}

/** A model provided by a program may count tokens and leave the prices to us. */
export function withCost(message: AssistantMessage, { prices }: Pick<ModelInfo, "prices">): AssistantMessage {
  const usage = pricedUsage(message.usage, prices);
  return usage === message.usage ? message : { ...message, usage };
}

function startDraft({ session, now }: RunParts, { info }: LanguageModel): AnswerDraft | undefined {
  const file = session.getSessionFile();
  if (file === undefined) return undefined;
  const { api, provider, id } = info;
  return new AnswerDraft(file, {
    sessionId: session.getSessionId(),
    parentId: session.getLeafId(),
    api,
    provider,
    model: id,
    timestamp: now().getTime(),
  });
}

/** The model in use. Throws `no-model`. */
export function requireModel(parts: Pick<RunParts, "model">): LanguageModel {
  if (parts.model !== undefined) return parts.model;
  throw new AgentError("no-model", "No model is chosen", {
    hint: "Choose one with /model or --model; offline/rules needs no key.",
  });
}

function report(parts: RunParts, event: Exclude<ModelEvent, EndEvent>): void {
  if (event.type === "text" || event.type === "thinking") {
    parts.emit({ type: "message_update", part: event.type, delta: event.delta });
  } else if (event.type === "tool_input") {
    parts.emit({ type: "tool_input", toolCallId: event.id, toolName: event.name, delta: event.delta });
  }
}

function pieceOf(event: Exclude<ModelEvent, EndEvent>): DraftPiece | undefined {
  if (event.type === "tool_call") return { type: "call", call: event.call };
  if (event.type === "tool_input") return undefined;
  return { type: event.type === "text" ? "text" : "thinking", delta: event.delta };
}

interface Unfinished {
  readonly blocks: readonly AssistantBlock[];
  readonly settled: Settled<EndEvent | undefined>;
  readonly signal: AbortSignal;
  readonly timestamp: number;
}

function unfinished(model: LanguageModel, { blocks, settled, signal, timestamp }: Unfinished): StepResult {
  const { api, provider, id } = model.info;
  const base = {
    role: "assistant",
    content: blocks,
    api,
    provider,
    model: id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  } as const;
  if (signal.aborted) return { message: { ...base, stopReason: "aborted", timestamp } };
  const failure: ModelFailure =
    settled.kind === "threw"
      ? { kind: "unknown", message: errorText(settled.error), retryable: false }
      : { kind: "network", message: "The answer ended before it was complete", retryable: true };
  return { message: { ...base, stopReason: "error", errorMessage: failure.message, timestamp }, failure };
}
