import type { ThinkingBlock } from "../../entry/index.js";
import { jsonObject } from "../../text/index.js";
import type { SignatureCodec } from "../provider-api.js";
import type { AssistantPart, Metadata } from "../provider-types.js";
import { textOfThinking } from "./text-of-thinking.js";

/** A reasoning item as the Responses API has it; one thinking block each, stored as JSON in `thinkingSignature`. */
interface ReasoningItem {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
  readonly encrypted_content?: string;
}

/** Reasoning without its encrypted content cannot be sent back: the provider kept nothing it could be matched with. */
export const openaiSignatures: SignatureCodec = {
  thoughtName: ({ itemId }) => (typeof itemId === "string" ? itemId : undefined),
  readThinking({ itemId, reasoningEncryptedContent: encrypted }, parts) {
    if (typeof itemId !== "string" || typeof encrypted !== "string") return {};
    const summary = parts.filter((text) => text !== "").map((text) => ({ type: "summary_text" as const, text }));
    const item: ReasoningItem = { type: "reasoning", id: itemId, summary, encrypted_content: encrypted };
    return { thinkingSignature: JSON.stringify(item) };
  },
  readText({ itemId, phase }: Metadata) {
    if (typeof itemId !== "string") return undefined;
    return typeof phase === "string" ? JSON.stringify({ v: 1, id: itemId, phase }) : itemId;
  },
  readCall: () => undefined,
  writeThinking(block) {
    const item = itemOf(block);
    if (item === undefined) return textOfThinking(block);
    const texts = item.summary.length === 0 ? [""] : item.summary.map((part) => part.text);
    return texts.map((text, at): AssistantPart => {
      const encrypted = at === texts.length - 1 ? { reasoningEncryptedContent: item.encrypted_content } : {};
      return { type: "reasoning", text, providerOptions: { openai: { itemId: item.id, ...encrypted } } };
    });
  },
  writeText({ textSignature }) {
    if (textSignature === undefined) return undefined;
    const named = jsonObject(textSignature);
    if (typeof named?.id !== "string") return { openai: { itemId: textSignature } };
    const { id: itemId, phase } = named;
    return { openai: typeof phase === "string" ? { itemId, phase } : { itemId } };
  },
  writeCall: () => undefined,
};

function itemOf(block: ThinkingBlock): (ReasoningItem & { readonly encrypted_content: string }) | undefined {
  const item = block.thinkingSignature === undefined ? undefined : jsonObject(block.thinkingSignature);
  if (typeof item?.id !== "string" || typeof item.encrypted_content !== "string") return undefined;
  const summary: { type: "summary_text"; text: string }[] = [];
  for (const part of Array.isArray(item.summary) ? (item.summary as unknown[]) : []) {
    const text = (part as { text?: unknown } | null)?.text;
    if (typeof text === "string" && text !== "") summary.push({ type: "summary_text", text });
  }
  return { type: "reasoning", id: item.id, summary, encrypted_content: item.encrypted_content };
}
