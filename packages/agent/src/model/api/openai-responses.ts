import { createHash } from "node:crypto";
import type { ThinkingBlock } from "@bough/session/entry/index.js";
import { jsonObject } from "@bough/session/text/index.js";
import type { ModelInfo, ModelRequest, ThinkingLevel } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { AssistantPart, Metadata, Prompt } from "../provider-types.js";
import { textOfThinking } from "./text-of-thinking.js";

/**
 * A reasoning item of the Responses API. Each one becomes a thinking block and is stored as JSON in
 * `thinkingSignature`.
 */
interface ReasoningItem {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
  readonly encrypted_content?: string;
}

/** Reasoning without encrypted content cannot be sent back, because the provider stores nothing to match it with. */
export const openaiSignatures = (name: "openai" | "azure"): SignatureCodec => ({
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
      return { type: "reasoning", text, providerOptions: { [name]: { itemId: item.id, ...encrypted } } };
    });
  },
  writeText({ textSignature }) {
    if (textSignature === undefined) return undefined;
    const named = jsonObject(textSignature);
    if (typeof named?.id !== "string") return { [name]: { itemId: textSignature } };
    const { id: itemId, phase } = named;
    return { [name]: typeof phase === "string" ? { itemId, phase } : { itemId } };
  },
  writeCall: () => undefined,
});

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

/** OpenAI's Responses API. The provider stores nothing; reasoning is returned encrypted. */
export const openaiResponses: ProviderApi = {
  metadataName: "openai",
  signatures: openaiSignatures("openai"),
  toolImages: "inside",
  marksErrors: false,
  async connect({ info, apiKey, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const provider = createOpenAI({
      baseURL: info.baseUrl ?? "https://api.openai.com/v1",
      // Never undefined, because then the SDK would read the environment itself.
      apiKey: apiKey ?? "none",
      fetch,
    });
    return provider.responses(info.id);
  },
  settings: (info, request, prompt) => responsesSettings(info, request, { prompt, name: "openai" }),
  webSearch: { type: "provider", id: "openai.web_search", name: "web_search", args: {} },
};

export function responsesSettings(
  info: ModelInfo,
  request: ModelRequest,
  { prompt, name }: { readonly prompt: Prompt; readonly name: "openai" | "azure" },
): CallSettings {
  const maxOutputTokens = request.maxOutput === undefined ? undefined : Math.min(request.maxOutput, info.maxOutput);
  const options = {
    store: false,
    promptCacheKey: cacheKey(info, prompt),
    forceReasoning: info.reasoning,
    ...(info.reasoning && {
      include: ["reasoning.encrypted_content"],
      reasoningEffort: effort(info.id, request.thinkingLevel),
      ...(request.thinkingLevel !== "off" && { reasoningSummary: "auto" }),
    }),
  };
  return { maxOutputTokens, providerOptions: { [name]: options } };
}

/**
 * Requests with the same key go to the same machine, which has the start of the conversation in its cache. The key is
 * the same for every branch and process, because it is derived from the start that they share.
 */
function cacheKey(info: ModelInfo, prompt: Prompt): string {
  const first = prompt.findIndex(({ role }) => role === "user");
  const start = JSON.stringify([info.id, prompt.slice(0, first + 1)]);
  return `bough-${createHash("sha256").update(start).digest("hex").slice(0, 24)}`;
}

/** Sixth-generation models whose reasoning can be turned off. */
const GPT6_OPTIONAL_REASONING = /^gpt-6(?:\.\d+)?-(?:sol|luna|terra)/;

/**
 * The closest effort that a model supports. Reasoning can be turned off only since 5.1; those models have no `minimal`,
 * and neither do the o series and the codex models.
 */
function effort(id: string, level: ThinkingLevel): string {
  if (level !== "off" && level !== "minimal") return level;
  const version = /^gpt-(\d+)(?:\.(\d+))?/.exec(id);
  if (version === null) return "low";
  const number = Number(version[1]) * 100 + Number(version[2] ?? 0);
  if (number >= 600) return level === "off" && GPT6_OPTIONAL_REASONING.test(id) ? "none" : "low";
  if (number >= 501) return level === "off" && !id.includes("codex") && !id.includes("pro") ? "none" : "low";
  if (id.includes("pro")) return "high";
  return id.includes("codex") ? "low" : "minimal";
}
