import type { Connection, ProviderApi } from "../provider-api.js";
import { anthropicMessages } from "./anthropic-messages.js";
import { geminiSettings, geminiSignatures, googleGenerativeAi } from "./google-generative-ai.js";
import { optionalPackage } from "./optional-package.js";

const PACKAGE = "@ai-sdk/google-vertex";

/** Gemini on Vertex AI. Uses express mode with a key, otherwise the account that Google's tools are logged in to. */
export const vertexGemini: ProviderApi = {
  ...googleGenerativeAi,
  metadataName: "vertex",
  signatures: geminiSignatures("vertex"),
  async connect(connection) {
    const { createVertex } = await optionalPackage(PACKAGE, () => import("@ai-sdk/google-vertex"));
    const { info, apiKey, fetch } = connection;
    return createVertex({ ...placeOf(connection), apiKey, fetch }).languageModel(info.id);
  },
  settings: (info, request) => geminiSettings(info, request, "vertex"),
};

/** Claude on Vertex AI: Anthropic's protocol at Google's address. */
export const vertexClaude: ProviderApi = {
  ...anthropicMessages,
  async connect(connection) {
    const { createVertexAnthropic } = await optionalPackage(PACKAGE, () => import("@ai-sdk/google-vertex/anthropic"));
    const { info, fetch } = connection;
    const place = placeOf(connection);
    // Otherwise Google's library starts gcloud to find the project, which takes seconds.
    const googleAuthOptions = place.project === undefined ? undefined : { projectId: place.project };
    return createVertexAnthropic({ ...place, googleAuthOptions, fetch }).languageModel(info.id);
  },
};

function placeOf({ info, env = {} }: Connection) {
  return {
    project: env.GOOGLE_VERTEX_PROJECT ?? env.GOOGLE_CLOUD_PROJECT,
    location: env.GOOGLE_VERTEX_LOCATION ?? env.GOOGLE_CLOUD_LOCATION ?? "global",
    baseURL: info.baseUrl,
  };
}
