/** Every protocol that can be spoken, by its name. Apart from what is published, whose declarations name no AI SDK types. */

import type { ModelApi } from "../language-model.js";
import type { ProviderApi } from "../provider-api.js";
import { anthropicMessages } from "./anthropic-messages.js";
import { googleGenerativeAi } from "./google-generative-ai.js";
import { openaiCompletions } from "./openai-completions.js";
import { openaiResponses } from "./openai-responses.js";

export const APIS: Readonly<Record<Exclude<ModelApi, "offline">, ProviderApi>> = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  "openai-completions": openaiCompletions,
  "google-generative-ai": googleGenerativeAi,
};
