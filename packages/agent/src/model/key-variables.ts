import { catalogue } from "./catalogue/catalogue.js";
import type { ModelsSettings } from "./catalogue/models-settings.js";

/**
 * Variables in which other programs keep model keys. Bough does not read them, but hides them from commands and masks
 * them in exports, like those it does read.
 */
const OTHER_KEY_VARIABLES: readonly string[] = [
  ...["AI21_API_KEY", "AI_GATEWAY_API_KEY", "ALIBABA_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANYSCALE_API_KEY"],
  ...["AZURE_AI_API_KEY", "AZURE_OPENAI_KEY"],
  ...["BASETEN_API_KEY", "CHUTES_API_KEY", "CLAUDE_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  ...["CODEX_API_KEY", "COHERE_API_KEY", "CO_API_KEY", "COPILOT_GITHUB_TOKEN", "DASHSCOPE_API_KEY"],
  ...["DEEPINFRA_API_KEY", "DEEPINFRA_API_TOKEN", "FIREWORKS_AI_API_KEY", "FRIENDLI_TOKEN"],
  ...["GLM_API_KEY", "GOOGLE_AI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_API_KEY"],
  ...["GROK_API_KEY", "HELICONE_API_KEY", "HF_TOKEN", "HUGGINGFACEHUB_API_TOKEN", "HUGGINGFACE_API_KEY"],
  ...["HUGGING_FACE_HUB_TOKEN", "HYPERBOLIC_API_KEY", "INCEPTION_API_KEY", "JINA_API_KEY", "KIMI_API_KEY"],
  ...["LAMBDA_API_KEY", "LEPTON_API_KEY", "LITELLM_API_KEY", "LITELLM_MASTER_KEY", "MINIMAX_API_KEY"],
  ...["MOONSHOT_API_KEY", "NEBIUS_API_KEY", "NOVITA_API_KEY", "NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY"],
  ...["OLLAMA_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_KEY", "OPENCODE_API_KEY", "PERPLEXITYAI_API_KEY"],
  ...["PERPLEXITY_API_KEY", "PORTKEY_API_KEY", "PPLX_API_KEY", "QWEN_API_KEY", "REPLICATE_API_KEY"],
  ...["REPLICATE_API_TOKEN", "REQUESTY_API_KEY", "SAMBANOVA_API_KEY", "SILICONFLOW_API_KEY", "STABILITY_API_KEY"],
  ...["TOGETHERAI_API_KEY", "V0_API_KEY", "VENICE_API_KEY"],
  ...["VERTEX_API_KEY", "VOLCENGINE_API_KEY", "VOYAGE_API_KEY", "WATSONX_APIKEY", "WATSONX_API_KEY"],
  ...["ZAI_API_KEY", "ZHIPUAI_API_KEY", "ZHIPU_API_KEY", "Z_AI_API_KEY"],
];

/** All variables that may hold a model key: those of the catalogue, those named in settings, and others. */
export function keyVariables(settings?: ModelsSettings): readonly string[] {
  const own = [...catalogue(settings).providers.values()].flatMap((provider) => provider.keyVariables);
  return [...new Set([...own, ...OTHER_KEY_VARIABLES])];
}
