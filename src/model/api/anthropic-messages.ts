import type { ModelInfo, ModelRequest, ThinkingLevel } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { Prompt, ProviderOptions } from "../provider-types.js";
import { textOfThinking } from "./text-of-thinking.js";

/** Without a limit from us, the SDK asks for as much as the model can, and that counts against rate limits. */
const DEFAULT_OUTPUT = 32_000;

const signatures: SignatureCodec = {
  readThinking({ signature, redactedData }) {
    if (typeof redactedData === "string") return { thinkingSignature: redactedData, redacted: true };
    return typeof signature === "string" ? { thinkingSignature: signature } : {};
  },
  readText: () => undefined,
  readCall: () => undefined,
  writeThinking(block) {
    const { thinking: text, thinkingSignature: signature } = block;
    if (signature === undefined) return textOfThinking(block);
    const anthropic = block.redacted === true ? { redactedData: signature } : { signature };
    return [{ type: "reasoning", text, providerOptions: { anthropic } }];
  },
  writeText: () => undefined,
  writeCall: () => undefined,
};

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
  settings,
  finishPrompt: withCacheMarks,
};

function settings(info: ModelInfo, request: ModelRequest, prompt: Prompt): CallSettings {
  const wanted = Math.min(request.maxOutput ?? DEFAULT_OUTPUT, info.maxOutput);
  const { options, budget } = anthropicThinking(info, request.thinkingLevel, { prompt, maxOutput: wanted });
  // The SDK adds the budget for thinking to the limit it is given; together they are what was wanted.
  // Eager streaming of tool input would skip the provider's check that it is JSON.
  return { maxOutputTokens: wanted - budget, providerOptions: { anthropic: { ...options, toolStreaming: false } } };
}

/** The instructions (and the tools before them) and the conversation so far are cached from step to step. */
function withCacheMarks(prompt: Prompt): Prompt {
  const anthropic = { cacheControl: { type: "ephemeral" } };
  return prompt.map((message, at) =>
    message.role === "system" || at === prompt.length - 1
      ? { ...message, providerOptions: { ...message.providerOptions, anthropic } }
      : message,
  );
}

type Options = ProviderOptions[string];

/** Tokens to think with, for models that are given a number. 1024 is the least they take. */
const BUDGETS = { minimal: 1024, low: 4096, medium: 10_240, high: 20_480 } as const;
/** For models that decide by themselves how much to think. */
const EFFORTS = { minimal: "low", low: "low", medium: "medium", high: "high" } as const;

/** How a thinking level is said to a Claude model, and how many tokens of the output it may take. */
function anthropicThinking(
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
 * Whether the step answers tool results of a turn that began without thinking, for example with another model.
 * The provider refuses thinking in the middle of such a turn.
 */
function goesOnWithoutThinking(prompt: Prompt): boolean {
  if (prompt.at(-1)?.role !== "tool") return false;
  for (let at = prompt.length - 1; at >= 0; at--) {
    const message = prompt[at];
    if (message?.role === "assistant") return message.content[0]?.type !== "reasoning";
  }
  return false;
}
