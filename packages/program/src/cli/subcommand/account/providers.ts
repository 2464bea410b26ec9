/** Providers that shells complete after `bough login` and `bough logout`. Settings can add others. */
export const PROVIDERS = [
  ...["anthropic", "openai", "google", "openrouter", "groq", "xai", "mistral", "deepseek"],
  ...["together", "fireworks", "cerebras", "azure", "bedrock", "vertex"],
] as const;
