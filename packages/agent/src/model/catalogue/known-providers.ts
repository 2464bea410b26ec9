import type { ModelApi } from "../language-model.js";

export interface ProviderInfo {
  readonly api: ModelApi;
  /** Models that speak another protocol at the same address, by the start of their ID. */
  readonly otherApis?: Readonly<Record<string, ModelApi>>;
  /** Undefined if the adapter knows it. */
  readonly baseUrl?: string;
  /** Variables that may hold the key, of which the first one set is used; empty if no key is needed. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  /** Variables that replace a key (AWS has two); all of one list must be set. */
  readonly credentials?: readonly (readonly string[])[];
  /** Whether the key may be sent without encryption to another machine. */
  readonly allowHttp?: boolean;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Accept any model name, because the provider's list is long and changing, or on this machine. */
  readonly anyModel: boolean;
}

/** The protocol of a model. */
export function apiOfModel({ api, otherApis = {} }: Pick<ProviderInfo, "api" | "otherApis">, id: string): ModelApi {
  return Object.entries(otherApis).find(([start]) => id.startsWith(start))?.[1] ?? api;
}

/** Built-in providers; settings can add others. */
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
  together: hosted("https://api.together.xyz/v1", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"),
  fireworks: hosted("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
  cerebras: hosted("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
  baseten: hosted("https://inference.baseten.co/v1", "BASETEN_API_KEY"),
  // The account is part of the address: see environment-settings.ts. Not CLOUDFLARE_API_TOKEN, which deploys, and which commands need.
  cloudflare: hosted("https://api.cloudflare.com/client/v4/accounts/unknown/ai/v1", "CLOUDFLARE_AI_TOKEN"),
  // Not GITHUB_TOKEN, which is set on many machines for other purposes.
  "github-copilot": hosted("https://api.individual.githubcopilot.com", "GITHUB_COPILOT_TOKEN"),
  "github-models": hosted("https://models.github.ai/inference", "GITHUB_MODELS_TOKEN"),
  huggingface: hosted("https://router.huggingface.co/v1", "HF_TOKEN"),
  minimax: {
    ...hosted("https://api.minimax.io/anthropic/v1", "MINIMAX_API_KEY"),
    api: "anthropic-messages",
  },
  moonshotai: hosted("https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
  nvidia: hosted("https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY"),
  opencode: {
    ...hosted("https://opencode.ai/zen/v1", "OPENCODE_API_KEY"),
    otherApis: {
      "claude-": "anthropic-messages",
      "gemini-": "google-generative-ai",
      "gpt-": "openai-responses",
    },
  },
  qwen: hosted("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
  "qwen-token-plan": hosted(
    "https://token-plan.ap-southeast-1.maas.aliyuncs.com/compatible-mode/v1",
    "QWEN_TOKEN_PLAN_API_KEY",
  ),
  vercel: hosted("https://ai-gateway.vercel.sh/v1", "AI_GATEWAY_API_KEY"),
  zai: hosted("https://api.z.ai/api/coding/paas/v4", "ZAI_API_KEY"),
  azure: {
    api: "azure-openai",
    keyVariables: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"],
    needsKey: true,
    anyModel: true,
  },
  bedrock: {
    api: "amazon-bedrock",
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK"],
    credentials: [["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]],
    needsKey: true,
    anyModel: true,
  },
  vertex: {
    api: "google-vertex",
    keyVariables: ["GOOGLE_VERTEX_API_KEY"],
    credentials: [["GOOGLE_VERTEX_PROJECT"], ["GOOGLE_CLOUD_PROJECT"]],
    needsKey: true,
    anyModel: true,
  },
  ollama: local(11434),
  lmstudio: local(1234),
  llamacpp: local(8080),
  vllm: local(8000),
};

function hosted(baseUrl: string, ...keyVariables: readonly string[]): ProviderInfo {
  return { api: "openai-completions", baseUrl, keyVariables, needsKey: true, anyModel: true };
}

function local(port: number): ProviderInfo {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  return { api: "openai-completions", baseUrl, keyVariables: [], needsKey: false, anyModel: true };
}
