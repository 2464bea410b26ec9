/**
 * All supported protocols by name. Not exported by the room, because published declarations contain no AI SDK types.
 */

import type { KnownModelApi, ModelInfo } from "../language-model.js";
import type { ProviderApi } from "../provider-api.js";
import { amazonBedrock } from "./amazon-bedrock.js";
import { anthropicMessages } from "./anthropic-messages.js";
import { azureOpenai } from "./azure-openai.js";
import { googleGenerativeAi } from "./google-generative-ai.js";
import { vertexClaude, vertexGemini } from "./google-vertex.js";
import { openaiCompletions } from "./openai-completions.js";
import { openaiResponses } from "./openai-responses.js";

export const APIS: Readonly<Record<Exclude<KnownModelApi, "offline">, ProviderApi>> = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  "openai-completions": openaiCompletions,
  "google-generative-ai": googleGenerativeAi,
  "amazon-bedrock": amazonBedrock,
  "google-vertex": vertexGemini,
  "azure-openai": azureOpenai,
};

/** Vertex also hosts models of other vendors, which keep their own protocol. */
export function apiOf({ api, id }: ModelInfo): ProviderApi {
  if (api === "google-vertex" && /^claude/.test(id)) return vertexClaude;
  return APIS[api as keyof typeof APIS];
}
