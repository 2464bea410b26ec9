import type { ModelInfo, ModelRequest } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { Prompt } from "../provider-types.js";
import { anthropicThinking } from "./anthropic-thinking.js";
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
