import type { ModelInfo, ModelRequest, ThinkingLevel } from "../language-model.js";
import type { CallSettings, ProviderApi } from "../provider-api.js";
import { openaiSignatures } from "./openai-signatures.js";

/** The Responses API of OpenAI. Nothing is stored on the provider's side; reasoning comes back to us encrypted. */
export const openaiResponses: ProviderApi = {
  metadataName: "openai",
  signatures: openaiSignatures,
  toolImages: "inside",
  marksErrors: false,
  async connect({ info, apiKey, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const provider = createOpenAI({
      baseURL: info.baseUrl ?? "https://api.openai.com/v1",
      // Never undefined: the SDK would look into the environment on its own.
      apiKey: apiKey ?? "none",
      fetch,
    });
    return provider.responses(info.id);
  },
  settings,
};

function settings(info: ModelInfo, request: ModelRequest): CallSettings {
  const maxOutputTokens = request.maxOutput === undefined ? undefined : Math.min(request.maxOutput, info.maxOutput);
  const openai = {
    store: false,
    forceReasoning: info.reasoning,
    ...(info.reasoning && {
      include: ["reasoning.encrypted_content"],
      reasoningEffort: effort(info.id, request.thinkingLevel),
      ...(request.thinkingLevel !== "off" && { reasoningSummary: "auto" }),
    }),
  };
  return { ...(maxOutputTokens !== undefined && { maxOutputTokens }), providerOptions: { openai } };
}

/** Models of the sixth generation that can do without reasoning. */
const SIX_WITHOUT = /^gpt-6(?:\.\d+)?-(?:sol|luna|terra)/;

/**
 * The nearest effort a model knows. Only from 5.1 on can reasoning be turned off; those in turn have no `minimal`, nor
 * have the o series and the codex models.
 */
function effort(id: string, level: ThinkingLevel): string {
  if (level !== "off" && level !== "minimal") return level;
  const version = /^gpt-(\d+)(?:\.(\d+))?/.exec(id);
  if (version === null) return "low";
  const number = Number(version[1]) * 100 + Number(version[2] ?? 0);
  if (number >= 600) return level === "off" && SIX_WITHOUT.test(id) ? "none" : "low";
  if (number >= 501) return level === "off" && !id.includes("codex") && !id.includes("pro") ? "none" : "low";
  if (id.includes("pro")) return "high";
  return id.includes("codex") ? "low" : "minimal";
}
