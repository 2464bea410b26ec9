import type { ModelInfo, ModelRequest } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { Prompt } from "../provider-types.js";
import { detailsPart, gatewayBody, signatureOfDetails, thinkingCollector, withDetails } from "./gateway-body.js";

/** Key of our settings inside the SDK; servers never see it. */
const NAME = "server";

const EFFORTS = { minimal: "low", low: "low", medium: "medium", high: "high" } as const;

const signatures: SignatureCodec = {
  readThinking: () => ({}),
  readFinish: signatureOfDetails,
  readText: () => undefined,
  // Gemini signs its calls even through an OpenAI-compatible server.
  readCall: ({ thoughtSignature }) => (typeof thoughtSignature === "string" ? thoughtSignature : undefined),
  writeThinking: (block) =>
    detailsPart(block) ?? (block.thinking.trim() === "" ? [] : [{ type: "reasoning", text: block.thinking }]),
  writeText: () => undefined,
  writeCall: ({ thoughtSignature }) => (thoughtSignature === undefined ? undefined : { google: { thoughtSignature } }),
};

/** OpenAI's Chat Completions API, which most other servers support. */
export const openaiCompletions: ProviderApi = {
  metadataName: NAME,
  signatures,
  // Tool messages can only hold text here; the SDK would insert an image as base64 text.
  toolImages: "after",
  marksErrors: false,
  async connect({ info, apiKey, fetch }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({
      name: NAME,
      baseURL: info.baseUrl ?? "https://api.openai.com/v1",
      apiKey,
      includeUsage: true,
      fetch,
      transformRequestBody: (body) => gatewayBody(info, body),
      metadataExtractor: {
        extractMetadata: () => Promise.resolve(undefined),
        createStreamExtractor: () => thinkingCollector(NAME),
      },
    });
    return provider.chatModel(info.id);
  },
  settings,
  finishPrompt: (prompt) => withDetails(withSeparatedTexts(prompt)),
};

function settings(info: ModelInfo, request: ModelRequest): CallSettings {
  const level = request.thinkingLevel;
  return {
    maxOutputTokens: request.maxOutput && Math.min(request.maxOutput, info.maxOutput),
    // There is no common way to turn thinking off, and some servers reject the field, so omit it.
    providerOptions: info.reasoning && level !== "off" ? { [NAME]: { reasoningEffort: EFFORTS[level] } } : undefined,
  };
}

/** An answer has one text in this API, and the SDK would join several without a separator. */
function withSeparatedTexts(prompt: Prompt): Prompt {
  return prompt.map((message) => {
    if (message.role !== "assistant") return message;
    const last = message.content.findLastIndex((part) => part.type === "text");
    const content = message.content.map((part, at) =>
      part.type === "text" && at < last ? { ...part, text: `${part.text}\n\n` } : part,
    );
    return { ...message, content };
  });
}
