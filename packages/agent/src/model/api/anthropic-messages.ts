import type { ThinkingBlock } from "@bough/session/entry/index.js";
import type { ModelInfo, ModelRequest, ThinkingLevel } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { AssistantPart, Prompt, ProviderOptions } from "../provider-types.js";
import { textOfThinking } from "./text-of-thinking.js";

/** Marks the end of the cached part. */
const CACHED: ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Without a limit, the SDK requests the model's maximum, which counts against rate limits. */
export const DEFAULT_OUTPUT = 32_000;

/** Signatures of Claude's thinking, under the name that the SDK's provider uses for its options. */
export function claudeSignatures(name: "anthropic" | "bedrock"): SignatureCodec {
  return { ...signatures, writeThinking: (block) => signedThinking(block, name) };
}

const signatures: SignatureCodec = {
  readThinking({ signature, redactedData }) {
    if (typeof redactedData === "string") return { thinkingSignature: redactedData, redacted: true };
    return typeof signature === "string" ? { thinkingSignature: signature } : {};
  },
  readText: () => undefined,
  readCall: () => undefined,
  writeThinking: (block) => signedThinking(block, "anthropic"),
  writeText: () => undefined,
  writeCall: () => undefined,
};

function signedThinking(block: ThinkingBlock, name: string): readonly AssistantPart[] {
  const { thinking: text, thinkingSignature: signature } = block;
  if (signature === undefined) return textOfThinking(block);
  const own = block.redacted === true ? { redactedData: signature } : { signature };
  return [{ type: "reasoning", text, providerOptions: { [name]: own } }];
}

/** Anthropic's Messages API. */
export const anthropicMessages: ProviderApi = {
  metadataName: "anthropic",
  signatures,
  toolImages: "inside",
  marksErrors: true,
  async connect({ info, apiKey, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const provider = createAnthropic({
      baseURL: info.baseUrl ?? "https://api.anthropic.com/v1",
      // Never undefined, because then the SDK would read the environment itself.
      apiKey: apiKey ?? "none",
      fetch,
    });
    return provider.languageModel(info.id);
  },
  settings: claudeSettings,
  finishPrompt: (prompt) => withCacheMarks(prompt, CACHED),
  lastTool: CACHED,
  webSearch: { type: "provider", id: "anthropic.web_search_20250305", name: "web_search", args: { maxUses: 5 } },
};

function claudeSettings(info: ModelInfo, request: ModelRequest, prompt: Prompt): CallSettings {
  const wanted = Math.min(request.maxOutput ?? DEFAULT_OUTPUT, info.maxOutput);
  const { options, budget } = anthropicThinking(info, request.thinkingLevel, { prompt, maxOutput: wanted });
  // The SDK adds the thinking budget to this limit, so subtract it to get the wanted total.
  // Eager streaming of tool input would skip the provider's JSON validation.
  return { maxOutputTokens: wanted - budget, providerOptions: { anthropic: { ...options, toolStreaming: false } } };
}

/**
 * Marks what is cached from step to step: the instructions, and the conversation up to each of the last two messages
 * from the user's side. One of those is the end of the previous request, so the cache is hit however long the answer in
 * between was; the provider itself looks back over only twenty blocks.
 */
export function withCacheMarks(prompt: Prompt, mark: ProviderOptions): Prompt {
  const ends = new Set<number>();
  for (let at = prompt.length - 1; at >= 0 && ends.size < 2; at--) {
    const role = prompt[at]?.role;
    // Consecutive messages of one side are sent as one, so only the last one counts.
    const next = prompt[at + 1]?.role;
    if ((role === "user" || role === "tool") && (next === undefined || next === "assistant")) ends.add(at);
  }
  return prompt.map((message, at) =>
    message.role === "system" || ends.has(at)
      ? { ...message, providerOptions: { ...message.providerOptions, ...mark } }
      : message,
  );
}

type Options = ProviderOptions[string];

/** Thinking budgets in tokens, for models that take a number. The minimum is 1024. */
const BUDGETS = { minimal: 1024, low: 4096, medium: 10_240, high: 20_480 } as const;
/** Effort levels, for models with adaptive thinking. */
const EFFORTS = { minimal: "low", low: "low", medium: "medium", high: "high" } as const;

/** The options for a thinking level of a Claude model, and how many output tokens thinking may use. */
export function anthropicThinking(
  info: ModelInfo,
  level: ThinkingLevel,
  step: { readonly prompt: Prompt; readonly maxOutput: number },
): { readonly options: Options; readonly budget: number } {
  if (!info.reasoning) return { options: {}, budget: 0 };
  if (level === "off") return { options: { thinking: { type: "disabled" } }, budget: 0 };
  if (hasAdaptiveThinking(info.id)) {
    return { options: { thinking: { type: "adaptive", display: "summarized" }, effort: EFFORTS[level] }, budget: 0 };
  }
  // Leave room for the answer.
  const budget = Math.min(BUDGETS[level], step.maxOutput - 1024);
  if (budget < BUDGETS.minimal || startedWithoutThinking(step.prompt)) {
    return { options: { thinking: { type: "disabled" } }, budget: 0 };
  }
  return { options: { thinking: { type: "enabled", budgetTokens: budget } }, budget };
}

/** Models with adaptive thinking: Sonnet and Opus 4.6 and later. */
function hasAdaptiveThinking(id: string): boolean {
  const version = /claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(id);
  if (version === null) return false;
  const major = Number(version[1]);
  return major > 4 || (major === 4 && Number(version[2] ?? 0) >= 6);
}

/**
 * Whether the step answers tool results in a turn that started without thinking, for example with another model. The
 * provider rejects thinking in the middle of such a turn. Only the first answer of a turn must have thinking: later
 * ones may lack it, and turning thinking off for them would invalidate the cached conversation.
 */
function startedWithoutThinking(prompt: Prompt): boolean {
  if (prompt.at(-1)?.role !== "tool") return false;
  const start = prompt.findLastIndex(({ role }) => role === "user");
  const first = prompt.slice(start + 1).find((message) => message.role === "assistant");
  return first !== undefined && first.content[0]?.type !== "reasoning";
}
