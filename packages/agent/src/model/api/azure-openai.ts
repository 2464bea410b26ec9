import type { ProviderApi } from "../provider-api.js";
import { openaiResponses, openaiSignatures, responsesSettings } from "./openai-responses.js";
import { optionalPackage } from "./optional-package.js";

/** The Responses API of a deployment on Azure; its name is the model's ID. */
export const azureOpenai: ProviderApi = {
  ...openaiResponses,
  webSearch: undefined,
  metadataName: "azure",
  signatures: openaiSignatures("azure"),
  async connect({ info, apiKey, fetch, env = {} }) {
    const { createAzure } = await optionalPackage("@ai-sdk/azure", () => import("@ai-sdk/azure"));
    const apiVersion = env.AZURE_API_VERSION?.trim();
    const provider = createAzure({
      baseURL: info.baseUrl,
      apiVersion: apiVersion || undefined,
      // Never undefined, because then the SDK would read the environment itself.
      apiKey: apiKey ?? "none",
      fetch,
    });
    return provider.responses(info.id);
  },
  settings: (info, request, prompt) => responsesSettings(info, request, { prompt, name: "azure" }),
};
