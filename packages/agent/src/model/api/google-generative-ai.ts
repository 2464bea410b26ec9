import type { ModelInfo, ModelRequest, ThinkingLevel } from "../language-model.js";
import type { CallSettings, ProviderApi, SignatureCodec } from "../provider-api.js";
import type { Metadata, ProviderOptions } from "../provider-types.js";

/** Signatures of Gemini's thinking, under the name that the SDK's provider uses for its options. */
export function geminiSignatures(name: "google" | "vertex"): SignatureCodec {
  const signed = (thoughtSignature: string | undefined): ProviderOptions | undefined =>
    thoughtSignature === undefined ? undefined : { [name]: { thoughtSignature } };
  return {
    readThinking(metadata) {
      const thinkingSignature = signatureOf(metadata);
      return thinkingSignature === undefined ? {} : { thinkingSignature };
    },
    readText: signatureOf,
    readCall: signatureOf,
    writeThinking({ thinking: text, thinkingSignature }) {
      return text === "" ? [] : [{ type: "reasoning", text, providerOptions: signed(thinkingSignature) }];
    },
    writeText: ({ textSignature }) => signed(textSignature),
    writeCall: ({ thoughtSignature }) => signed(thoughtSignature),
  };
}

/** Google's Gemini API. */
export const googleGenerativeAi: ProviderApi = {
  metadataName: "google",
  signatures: geminiSignatures("google"),
  toolImages: "inside",
  marksErrors: false,
  async connect({ info, apiKey, fetch }) {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    const provider = createGoogleGenerativeAI({
      baseURL: info.baseUrl ?? "https://generativelanguage.googleapis.com/v1beta",
      // Never undefined, because then the SDK would read the environment itself.
      apiKey: apiKey ?? "none",
      fetch,
    });
    return provider.languageModel(info.id);
  },
  settings: (info, request) => geminiSettings(info, request, "google"),
  webSearch: { type: "provider", id: "google.google_search", name: "google_search", args: {} },
};

export function geminiSettings(info: ModelInfo, request: ModelRequest, name: "google" | "vertex"): CallSettings {
  const thinkingConfig = info.reasoning ? thinking(info.id, request.thinkingLevel) : undefined;
  return {
    maxOutputTokens: request.maxOutput && Math.min(request.maxOutput, info.maxOutput),
    providerOptions: thinkingConfig && { [name]: { thinkingConfig } },
  };
}

type ThinkingConfig =
  | { thinkingBudget: number; includeThoughts: boolean }
  | { thinkingLevel: string; includeThoughts: boolean };

/** Gemini 2.5 takes a number of tokens, later models take a level. Thinking cannot be turned off for Pro models. */
const BUDGETS = { off: 0, minimal: 512, low: 2048, medium: 8192, high: 24_576 } as const;
const PRO_MINIMUM = 128;

function thinking(id: string, level: ThinkingLevel): ThinkingConfig {
  const includeThoughts = level !== "off";
  const pro = id.includes("pro");
  if (/gemini-2\.5/.test(id)) {
    const thinkingBudget = pro ? Math.max(PRO_MINIMUM, BUDGETS[level]) : BUDGETS[level];
    return { thinkingBudget, includeThoughts };
  }
  const lowest = level === "off" || level === "minimal";
  if (lowest) return { thinkingLevel: pro ? "low" : "minimal", includeThoughts };
  // Gemini 3 Pro supports only two levels.
  const two = /gemini-3-pro/.test(id) && level === "medium";
  return { thinkingLevel: two ? "high" : level, includeThoughts };
}

function signatureOf({ thoughtSignature }: Metadata): string | undefined {
  return typeof thoughtSignature === "string" ? thoughtSignature : undefined;
}
