import { defined } from "@bough/session/text/index.js";
import type { ModelInfo, ModelRequest } from "../language-model.js";
import type { CallSettings, ProviderApi } from "../provider-api.js";
import type { Prompt } from "../provider-types.js";
import { anthropicThinking, claudeSignatures, DEFAULT_OUTPUT, withCacheMarks } from "./anthropic-messages.js";
import { optionalPackage } from "./optional-package.js";

/** The Converse API of Amazon Bedrock. */
export const amazonBedrock: ProviderApi = {
  metadataName: "bedrock",
  signatures: claudeSignatures("bedrock"),
  toolImages: "inside",
  marksErrors: true,
  async connect({ info, apiKey, fetch, env = {} }) {
    const { createAmazonBedrock } = await optionalPackage(
      "@ai-sdk/amazon-bedrock",
      () => import("@ai-sdk/amazon-bedrock"),
    );
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
    const provider = createAmazonBedrock({
      region: env.AWS_REGION ?? env.AWS_DEFAULT_REGION,
      baseURL: info.baseUrl,
      apiKey,
      accessKeyId,
      secretAccessKey,
      sessionToken: AWS_SESSION_TOKEN,
      fetch,
    });
    return provider.languageModel(info.id);
  },
  settings,
  finishPrompt: (prompt, { id }) =>
    CACHES.test(id) ? withCacheMarks(prompt, { bedrock: { cachePoint: { type: "default" } } }) : prompt,
};

/** Other models reject a request that contains a cache point. */
const CACHES = /claude|amazon\.nova/;

function settings(info: ModelInfo, request: ModelRequest, prompt: Prompt): CallSettings {
  const maxOutput = Math.min(request.maxOutput ?? DEFAULT_OUTPUT, info.maxOutput);
  if (!info.id.includes("claude")) return { maxOutputTokens: maxOutput };
  const { options, budget } = anthropicThinking(info, request.thinkingLevel, { prompt, maxOutput });
  const { type, budgetTokens } = (options?.thinking ?? {}) as {
    readonly type?: string;
    readonly budgetTokens?: number;
  };
  const effort = options?.effort as string | undefined;
  const reasoningConfig = type === undefined ? undefined : defined({ type, budgetTokens, maxReasoningEffort: effort });
  return {
    maxOutputTokens: maxOutput - budget,
    providerOptions: reasoningConfig && { bedrock: { reasoningConfig } },
  };
}
