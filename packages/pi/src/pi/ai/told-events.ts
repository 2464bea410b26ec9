/** Converts events of our models to pi's, and back. */

import type { ModelEvent, ModelFailure, ModelInfo } from "@bough/agent/model/index.js";
import type { AssistantBlock, AssistantMessage, ToolCallBlock } from "@bough/session/entry/index.js";
import { wholeUsage } from "@bough/session/entry/internal.js";
import type { AssistantMessageEvent } from "./event-stream.js";

/** A message with the fields that pi promises: a cost and a total, even if zero. */
export function withWholeUsage(message: AssistantMessage): AssistantMessage {
  const usage = wholeUsage(message.usage);
  return usage === message.usage ? message : { ...message, usage };
}

/** Builds up the message of an answer block by block as it arrives. */
export class AnswerTeller {
  readonly #info: Pick<ModelInfo, "api" | "provider" | "id">;
  readonly #timestamp: number;
  readonly #content: AssistantBlock[] = [];
  #open:
    | { readonly kind: "text" | "thinking" | "toolcall"; readonly index: number; id?: string; json: string }
    | undefined;
  #isStarted = false;

  constructor(info: Pick<ModelInfo, "api" | "provider" | "id">, timestamp: number) {
    this.#info = info;
    this.#timestamp = timestamp;
  }

  /** The events that pi would emit for this event. */
  tell(event: ModelEvent): AssistantMessageEvent[] {
    const told: AssistantMessageEvent[] = [];
    if (!this.#isStarted) {
      this.#isStarted = true;
      told.push({ type: "start", partial: this.#partial() });
    }
    switch (event.type) {
      case "text":
      case "thinking":
        this.#piece(event.type, event.delta, told);
        break;
      case "tool_input":
        this.#input(event, told);
        break;
      case "tool_call":
        this.#call(event.call, told);
        break;
      case "end": {
        this.#close(told);
        const message = withWholeUsage(event.message);
        const { stopReason } = message;
        const failed = stopReason === "error" || stopReason === "aborted";
        told.push(
          failed
            ? { type: "error", reason: stopReason, error: message }
            : { type: "done", reason: stopReason, message },
        );
      }
    }
    return told;
  }

  #piece(kind: "text" | "thinking", delta: string, told: AssistantMessageEvent[]): void {
    if (this.#open?.kind !== kind) {
      this.#close(told);
      const block = kind === "text" ? { type: "text" as const, text: "" } : { type: "thinking" as const, thinking: "" };
      const index = this.#content.push(block) - 1;
      this.#open = { kind, index, json: "" };
      told.push({ type: `${kind}_start`, contentIndex: index, partial: this.#partial() });
    }
    const { index } = this.#open as { readonly index: number };
    const block = this.#content[index] as AssistantBlock;
    if (block.type === "text") this.#content[index] = { ...block, text: block.text + delta };
    else if (block.type === "thinking") this.#content[index] = { ...block, thinking: block.thinking + delta };
    told.push({ type: `${kind}_delta`, contentIndex: index, delta, partial: this.#partial() });
  }

  #input({ id, name, delta }: { id: string; name: string; delta: string }, told: AssistantMessageEvent[]): void {
    this.#openCall({ id, name }, told);
    const open = this.#open as { readonly index: number; json: string };
    open.json += delta;
    told.push({ type: "toolcall_delta", contentIndex: open.index, delta, partial: this.#partial() });
  }

  #call(call: ToolCallBlock, told: AssistantMessageEvent[]): void {
    this.#openCall(call, told);
    const { index } = this.#open as { readonly index: number };
    this.#content[index] = call;
    this.#open = undefined;
    told.push({ type: "toolcall_end", contentIndex: index, toolCall: call, partial: this.#partial() });
  }

  #openCall({ id, name }: { readonly id: string; readonly name: string }, told: AssistantMessageEvent[]): void {
    if (this.#open?.kind === "toolcall" && this.#open.id === id) return;
    this.#close(told);
    const index = this.#content.push({ type: "toolCall", id, name, arguments: {} }) - 1;
    this.#open = { kind: "toolcall", index, id, json: "" };
    told.push({ type: "toolcall_start", contentIndex: index, partial: this.#partial() });
  }

  #close(told: AssistantMessageEvent[]): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const block = this.#content[open.index] as AssistantBlock;
    const at = { contentIndex: open.index, partial: this.#partial() };
    if (block.type === "text") told.push({ type: "text_end", content: block.text, ...at });
    else if (block.type === "thinking") told.push({ type: "thinking_end", content: block.thinking, ...at });
  }

  #partial(): AssistantMessage {
    const { api, provider, id } = this.#info;
    return withWholeUsage({
      role: "assistant",
      content: [...this.#content],
      api,
      provider,
      model: id,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      stopReason: "pending" as AssistantMessage["stopReason"],
      timestamp: this.#timestamp,
    });
  }
}

/** Converts an event of a stream written for pi to ours. Undefined for events that we do not have. */
export function fromToldEvent(event: AssistantMessageEvent): ModelEvent | undefined {
  switch (event.type) {
    case "text_delta":
      return { type: "text", delta: event.delta };
    case "thinking_delta":
      return { type: "thinking", delta: event.delta };
    case "toolcall_delta": {
      const block = event.partial.content[event.contentIndex];
      if (block?.type !== "toolCall") return undefined;
      return { type: "tool_input", id: block.id, name: block.name, delta: event.delta };
    }
    case "toolcall_end":
      return { type: "tool_call", call: event.toolCall as ToolCallBlock };
    case "done":
      return { type: "end", message: event.message };
    case "error":
      return { type: "end", message: event.error, ...failureIn(event.error) };
    default:
      return undefined;
  }
}

function failureIn(message: AssistantMessage): { readonly failure?: ModelFailure } {
  if (message.stopReason !== "error") return {};
  const text = message.errorMessage ?? "The provider gave no reason";
  const overflow = /context_length_exceeded/.test(text);
  return { failure: { kind: overflow ? "context-overflow" : "unknown", message: text, retryable: false } };
}
