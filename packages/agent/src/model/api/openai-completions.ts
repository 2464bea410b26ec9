import type { ModelInfo, ModelRequest } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { Prompt } from "../provider-types.js";

/** The name our settings travel under inside the SDK; servers never see it. */
const NAME = "server";

const EFFORTS = { minimal: "low", low: "low", medium: "medium", high: "high" } as const;

const signatures: SignatureCodec = {
  readThinking: () => ({}),
  readText: () => undefined,
  // Gemini behind an OpenAI-compatible server signs its calls.
  readCall: ({ thoughtSignature }) => (typeof thoughtSignature === "string" ? thoughtSignature : undefined),
  writeThinking: ({ thinking: text }) => (text.trim() === "" ? [] : [{ type: "reasoning", text }]),
  writeText: () => undefined,
  writeCall: ({ thoughtSignature }) => (thoughtSignature === undefined ? undefined : { google: { thoughtSignature } }),
};

/** Chat completions, as OpenAI began them and every other server speaks them. */
export const openaiCompletions: ProviderApi = {
  metadataName: NAME,
  signatures,
  // A tool message holds text alone here; the SDK would write an image into it as base64 text.
  toolImages: "after",
  marksErrors: false,
  async connect({ info, apiKey, fetch }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({
      name: NAME,
      baseURL: info.baseUrl ?? "https://api.openai.com/v1",
      ...(apiKey !== undefined && { apiKey }),
      includeUsage: true,
      fetch,
    });
    return provider.chatModel(info.id);
  },
  settings,
  finishPrompt: withTextsApart,
};

function settings(info: ModelInfo, request: ModelRequest): CallSettings {
  const level = request.thinkingLevel;
  return {
    ...(request.maxOutput !== undefined && { maxOutputTokens: Math.min(request.maxOutput, info.maxOutput) }),
    // Servers differ in how thinking is turned off, and some refuse the field: off says nothing.
    ...(info.reasoning && level !== "off" && { providerOptions: { [NAME]: { reasoningEffort: EFFORTS[level] } } }),
  };
}

/** An answer has one text here; the SDK puts several together without a space between them. */
function withTextsApart(prompt: Prompt): Prompt {
  return prompt.map((message) => {
    if (message.role !== "assistant") return message;
    const last = message.content.findLastIndex((part) => part.type === "text");
    const content = message.content.map((part, at) =>
      part.type === "text" && at < last ? { ...part, text: `${part.text}\n\n` } : part,
    );
    return { ...message, content };
  });
}
