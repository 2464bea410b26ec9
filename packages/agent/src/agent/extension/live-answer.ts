import type { AssistantBlock, AssistantMessage } from "@bough/session/entry/index.js";
import type { AssistantMessageEvent } from "../../extension/index.js";
import type { ModelEvent, ModelInfo } from "../../model/index.js";
import type { RunParts } from "../run-parts.js";

type Piece = Exclude<ModelEvent, { type: "end" }>;

/** Notifies extensions about an answer while it streams. Does nothing without listeners. */
export class LiveAnswer {
  readonly #parts: RunParts;
  /** Copies of all blocks but the last, which no longer change. */
  #whole: AssistantBlock[] = [];
  readonly #base: Omit<AssistantMessage, "content">;

  constructor(parts: RunParts, { api, provider, id }: ModelInfo) {
    this.#parts = parts;
    const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const timestamp = 0;
    this.#base = { role: "assistant", api, provider, model: id, usage, stopReason: "stop", timestamp };
  }

  async begin(): Promise<void> {
    const { hooks } = this.#parts;
    if (!hooks.has("message_start")) return;
    await hooks.emit<"message_start">({ type: "message_start", message: this.#message([]) });
  }

  /** Whether `update` has listeners; if not, no token has to wait. */
  get isHeard(): boolean {
    return this.#parts.hooks.has("message_update");
  }

  /** `blocks` is what has arrived, including this piece. Only its last block is copied; the others already are. */
  async update(piece: Piece, blocks: readonly AssistantBlock[]): Promise<void> {
    const { hooks } = this.#parts;
    if (!this.isHeard) return;
    const before = Math.max(0, blocks.length - 1);
    if (this.#whole.length !== before) this.#whole = structuredClone(blocks.slice(0, before));
    const message = this.#message([...this.#whole, ...structuredClone(blocks.slice(before))]);
    const assistantMessageEvent = eventOf(piece, message);
    await hooks.emit<"message_update">({ type: "message_update", message, assistantMessageEvent });
  }

  #message(content: readonly AssistantBlock[]): AssistantMessage {
    return { ...this.#base, content, timestamp: this.#parts.now().getTime() };
  }
}

function eventOf(piece: Piece, partial: AssistantMessage): AssistantMessageEvent {
  const last = Math.max(0, partial.content.length - 1);
  switch (piece.type) {
    case "text":
      return { type: "text_delta", contentIndex: last, delta: piece.delta, partial };
    case "thinking":
      return { type: "thinking_delta", contentIndex: last, delta: piece.delta, partial };
    case "tool_input":
      // A call becomes a block of the message once it is complete.
      return { type: "toolcall_delta", contentIndex: partial.content.length, delta: piece.delta, partial };
    case "tool_call":
      return { type: "toolcall_end", contentIndex: last, toolCall: piece.call, partial };
  }
}
