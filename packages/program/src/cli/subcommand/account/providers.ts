/** Providers that shells complete after `bough login` and `bough logout`. Settings can add others. */
export const PROVIDERS = [
  ...["anthropic", "openai", "google", "openrouter", "groq", "xai", "mistral", "deepseek"],
  ...["together", "fireworks", "cerebras", "azure", "bedrock", "vertex"],
  ...["baseten", "cloudflare", "github-copilot", "github-models", "huggingface", "minimax", "moonshotai", "nvidia"],
  ...["opencode", "qwen", "qwen-token-plan", "vercel", "zai"],
] as const;
