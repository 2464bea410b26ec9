import type { AssistantBlock, ToolCallBlock } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import type { ModelEvent } from "./language-model.js";
import type { ProviderApi } from "./provider-api.js";
import type { Finish, Metadata, StreamPart } from "./provider-types.js";
import { readCall, unreadableInput } from "./unreadable-call.js";

type Draft =
  | { readonly type: "text"; text: string; metadata: Metadata }
  | { readonly type: "thinking"; readonly parts: string[]; readonly name: string | undefined; metadata: Metadata }
  | { readonly type: "toolCall"; readonly name: string; call: ToolCallBlock | undefined };

/** An answer as it arrives: takes stream parts, returns events, and can be read as blocks at any time. */
export class AnswerDraft {
  responseId: string | undefined;
  finish: Finish | undefined;
  /** The first error reported in the stream. */
  error: { readonly cause: unknown } | undefined;
  /** Why the connection broke. */
  broken: { readonly cause: unknown } | undefined;
  /** The response says that it is JSON, not a stream. */
  isJson = false;
  readonly #api: ProviderApi;
  /** In the order in which the blocks started. */
  readonly #drafts: Draft[] = [];
  readonly #open = new Map<string, { readonly draft: Draft; readonly part: number }>();

  constructor(api: ProviderApi) {
    this.#api = api;
  }

  take(part: StreamPart): ModelEvent[] {
    switch (part.type) {
      case "text-start":
        this.#begin(`text ${part.id}`, { type: "text", text: "", metadata: this.#own(part) });
        return [];
      case "reasoning-start":
        return this.#beginThinking(part.id, this.#own(part));
      case "text-delta":
      case "text-end":
        return this.#text(part);
      case "reasoning-delta":
      case "reasoning-end":
        return this.#thinking(part);
      case "tool-input-start":
        if (part.providerExecuted === true) return [];
        this.#begin(`call ${part.id}`, { type: "toolCall", name: part.toolName, call: undefined });
        return [];
      case "tool-input-delta":
        return this.#toolInput(part.id, part.delta);
      case "tool-call":
        return part.providerExecuted === true ? [] : this.#call(part);
      case "response-metadata":
        if (part.id !== undefined) this.responseId = part.id;
        return [];
      case "finish":
        this.finish = part;
        return [];
      case "error":
        this.error ??= { cause: part.error };
        return [];
      default:
        return [];
    }
  }

  /**
   * What has arrived so far. Omits incomplete calls, which cannot be run. With `onlySound`, also omits calls with
   * unreadable input: a broken stream may have cut it off anywhere.
   */
  blocks(calls: "all" | "onlySound"): AssistantBlock[] {
    const blocks: AssistantBlock[] = [];
    let signedAtEnd = this.finish === undefined ? undefined : this.#api.signatures.readFinish?.(this.#own(this.finish));
    // Thinking that was not told in words has no draft, but a signature.
    if (signedAtEnd !== undefined && !this.#drafts.some(({ type }) => type === "thinking")) {
      blocks.push({ type: "thinking", thinking: "", ...signedAtEnd, redacted: true });
    }
    for (const draft of this.#drafts) {
      if (draft.type === "text") {
        const textSignature = this.#api.signatures.readText(draft.metadata);
        if (draft.text === "" && textSignature === undefined) continue;
        blocks.push({ type: "text", text: draft.text, ...defined({ textSignature }) });
      } else if (draft.type === "thinking") {
        const signed = signedAtEnd ?? this.#api.signatures.readThinking(draft.metadata, draft.parts);
        // One signature is about all of it.
        signedAtEnd = undefined;
        const thinking = draft.parts.filter((part) => part !== "").join("\n\n");
        if (thinking === "" && signed.thinkingSignature === undefined) continue;
        blocks.push({ type: "thinking", thinking, ...signed });
      } else if (draft.call !== undefined) {
        if (calls === "onlySound" && unreadableInput(draft.call) !== undefined) continue;
        blocks.push(draft.call);
      }
    }
    return blocks;
  }

  #begin(key: string, draft: Draft): void {
    this.#drafts.push(draft);
    this.#open.set(key, { draft, part: 0 });
  }

  #beginThinking(id: string, metadata: Metadata): ModelEvent[] {
    const name = this.#api.signatures.thoughtName?.(metadata);
    const last = this.#drafts.at(-1);
    if (name !== undefined && last?.type === "thinking" && last.name === name) {
      last.metadata = { ...last.metadata, ...metadata };
      this.#open.set(`thinking ${id}`, { draft: last, part: last.parts.push("") - 1 });
      return [{ type: "thinking", delta: "\n\n" }];
    }
    this.#begin(`thinking ${id}`, { type: "thinking", parts: [""], name, metadata });
    return [];
  }

  #text(part: Extract<StreamPart, { type: "text-delta" | "text-end" }>): ModelEvent[] {
    const draft = this.#open.get(`text ${part.id}`)?.draft;
    if (draft?.type !== "text") return [];
    draft.metadata = { ...draft.metadata, ...this.#own(part) };
    if (part.type === "text-end" || part.delta === "") return [];
    draft.text += part.delta;
    return [{ type: "text", delta: part.delta }];
  }

  #thinking(part: Extract<StreamPart, { type: "reasoning-delta" | "reasoning-end" }>): ModelEvent[] {
    const open = this.#open.get(`thinking ${part.id}`);
    if (open?.draft.type !== "thinking") return [];
    open.draft.metadata = { ...open.draft.metadata, ...this.#own(part) };
    if (part.type === "reasoning-end" || part.delta === "") return [];
    open.draft.parts[open.part] += part.delta;
    return [{ type: "thinking", delta: part.delta }];
  }

  #toolInput(id: string, delta: string): ModelEvent[] {
    const draft = this.#open.get(`call ${id}`)?.draft;
    return draft?.type === "toolCall" ? [{ type: "tool_input", id, name: draft.name, delta }] : [];
  }

  #call(part: Extract<StreamPart, { type: "tool-call" }>): ModelEvent[] {
    const thoughtSignature = this.#api.signatures.readCall(this.#own(part));
    const call: ToolCallBlock = {
      ...readCall({ id: part.toolCallId, name: part.toolName, input: part.input }),
      ...defined({ thoughtSignature }),
    };
    const key = `call ${part.toolCallId}`;
    if (!this.#open.has(key)) this.#begin(key, { type: "toolCall", name: part.toolName, call: undefined });
    const draft = this.#open.get(key)?.draft;
    if (draft?.type === "toolCall") draft.call = call;
    return [{ type: "tool_call", call }];
  }

  /** The provider's metadata of a part, without empty values, which would overwrite earlier ones when merged. */
  #own(part: { readonly providerMetadata?: Readonly<Record<string, Metadata>> }): Metadata {
    const own = part.providerMetadata?.[this.#api.metadataName];
    if (own === undefined) return {};
    return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null && value !== undefined));
  }
}
