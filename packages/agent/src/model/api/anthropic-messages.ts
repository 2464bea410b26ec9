import type { ThinkingBlock } from "@bough/session/entry/index.js";
import type { ModelInfo, ModelRequest, ThinkingLevel } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { AssistantPart, Prompt, ProviderOptions } from "../provider-types.js";
import { textOfThinking } from "./text-of-thinking.js";

/** Marks the end of what is cached. */
const CACHED: ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Without a limit from us, the SDK asks for as much as the model can, and that counts against rate limits. */
export const DEFAULT_OUTPUT = 32_000;

/** Signatures of Claude's thinking, in the compartment that the SDK's provider for it uses. */
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

/** The Messages API of Anthropic. */
export const anthropicMessages: ProviderApi = {
  metadataName: "anthropic",
  signatures,
  toolImages: "inside",
  marksErrors: true,
  async connect({ info, apiKey, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const provider = createAnthropic({
      baseURL: info.baseUrl ?? "https://api.anthropic.com/v1",
      // Never undefined: the SDK would look into the environment on its own.
      apiKey: apiKey ?? "none",
      fetch,
    });
    return provider.languageModel(info.id);
  },
  settings: claudeSettings,
  finishPrompt: (prompt) => withCacheMarks(prompt, CACHED),
  lastTool: CACHED,
};

export function claudeSettings(info: ModelInfo, request: ModelRequest, prompt: Prompt): CallSettings {
  const wanted = Math.min(request.maxOutput ?? DEFAULT_OUTPUT, info.maxOutput);
  const { options, budget } = anthropicThinking(info, request.thinkingLevel, { prompt, maxOutput: wanted });
  // The SDK adds the budget for thinking to the limit it is given; together they are what was wanted.
  // Eager streaming of tool input would skip the provider's check that it is JSON.
  return { maxOutputTokens: wanted - budget, providerOptions: { anthropic: { ...options, toolStreaming: false } } };
}

/**
 * Marks what is cached from step to step: the instructions, and the conversation up to the last two messages of the
 * user's side. The end of the request before is one of them, so it is found again however long the answer in between
 * was; a provider looks back over twenty blocks only.
 */
export function withCacheMarks(prompt: Prompt, mark: ProviderOptions): Prompt {
  const ends = new Set<number>();
  for (let at = prompt.length - 1; at >= 0 && ends.size < 2; at--) {
    const role = prompt[at]?.role;
    // Messages of one side are sent as one, so the last of them is its end.
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

/** Tokens to think with, for models that are given a number. 1024 is the least they take. */
const BUDGETS = { minimal: 1024, low: 4096, medium: 10_240, high: 20_480 } as const;
/** For models that decide by themselves how much to think. */
const EFFORTS = { minimal: "low", low: "low", medium: "medium", high: "high" } as const;

/** How a thinking level is said to a Claude model, and how many tokens of the output it may take. */
export function anthropicThinking(
  info: ModelInfo,
  level: ThinkingLevel,
  step: { readonly prompt: Prompt; readonly maxOutput: number },
): { readonly options: Options; readonly budget: number } {
  if (!info.reasoning) return { options: {}, budget: 0 };
  if (level === "off") return { options: { thinking: { type: "disabled" } }, budget: 0 };
  if (thinksByItself(info.id)) {
    return { options: { thinking: { type: "adaptive", display: "summarized" }, effort: EFFORTS[level] }, budget: 0 };
  }
  // An answer needs room next to the thinking.
  const budget = Math.min(BUDGETS[level], step.maxOutput - 1024);
  if (budget < BUDGETS.minimal || goesOnWithoutThinking(step.prompt)) {
    return { options: { thinking: { type: "disabled" } }, budget: 0 };
  }
  return { options: { thinking: { type: "enabled", budgetTokens: budget } }, budget };
}

/** Sonnet and Opus 4.6 and everything later. */
function thinksByItself(id: string): boolean {
  const version = /claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?!\d)/.exec(id);
  if (version === null) return false;
  const major = Number(version[1]);
  return major > 4 || (major === 4 && Number(version[2] ?? 0) >= 6);
}

/**
 * Whether the step answers tool results of a turn that began without thinking, for example with another model. The
 * provider refuses thinking in the middle of such a turn. Only the first answer of a turn has to have it: later ones may
 * do without, and turning thinking off for them would throw away the cached conversation.
 */
function goesOnWithoutThinking(prompt: Prompt): boolean {
  if (prompt.at(-1)?.role !== "tool") return false;
  const start = prompt.findLastIndex(({ role }) => role === "user");
  const first = prompt.slice(start + 1).find((message) => message.role === "assistant");
  return first !== undefined && first.content[0]?.type !== "reasoning";
}
