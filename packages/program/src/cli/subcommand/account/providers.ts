/** Providers that a shell offers for `bough login` and `bough logout`; settings can have others. */
export const PROVIDERS = [
  ...["anthropic", "openai", "google", "openrouter", "groq", "xai", "mistral", "deepseek"],
  ...["together", "fireworks", "cerebras", "azure", "bedrock", "vertex"],
] as const;
