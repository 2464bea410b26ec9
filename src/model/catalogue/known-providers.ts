import type { ModelApi } from "../language-model.js";

export interface ProviderInfo {
  readonly api: ModelApi;
  /** Undefined if the adapter knows it. */
  readonly baseUrl?: string;
  /** Variables that may hold the key, the first that is set counts; empty if none is needed. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  /** Any name is taken for a model: the list is the provider's, long and changing, or on this machine. */
  readonly anyModel: boolean;
}

/** Providers we know by ourselves; settings add others. */
export const KNOWN_PROVIDERS: Readonly<Record<string, ProviderInfo>> = {
  offline: { api: "offline", keyVariables: [], needsKey: false, anyModel: false },
  anthropic: { api: "anthropic-messages", keyVariables: ["ANTHROPIC_API_KEY"], needsKey: true, anyModel: false },
  openai: { api: "openai-responses", keyVariables: ["OPENAI_API_KEY"], needsKey: true, anyModel: false },
  google: {
    api: "google-generative-ai",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    needsKey: true,
    anyModel: false,
  },
  openrouter: hosted("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
  deepseek: hosted("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
  groq: hosted("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  mistral: hosted("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
  xai: hosted("https://api.x.ai/v1", "XAI_API_KEY"),
  ollama: local(11434),
  lmstudio: local(1234),
  llamacpp: local(8080),
  vllm: local(8000),
};

function hosted(baseUrl: string, variable: string): ProviderInfo {
  return { api: "openai-completions", baseUrl, keyVariables: [variable], needsKey: true, anyModel: true };
}

function local(port: number): ProviderInfo {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return { api: "openai-completions", baseUrl, keyVariables: [], needsKey: false, anyModel: true };
}
