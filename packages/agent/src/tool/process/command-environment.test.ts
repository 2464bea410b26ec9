import { expect, it } from "vitest";
import { keyVariables } from "../../model/index.js";
import { commandEnvironment } from "./command-environment.js";

it.each([
  ...["GOOGLE_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY"],
  ...["AZURE_OPENAI_API_KEY", "TOGETHER_API_KEY", "FIREWORKS_API_KEY", "CEREBRAS_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"],
  ...["GEMINI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY", "DEEPSEEK_API_KEY"],
])("commands do not see %s", (name) => {
  expect(commandEnvironment({ [name]: "secret", PATH: "/bin" })).toEqual({ PATH: "/bin" });
});

it("nor the variable that the settings name for a provider of one's own, in any case", () => {
  const hidden = keyVariables({
    providers: { acme: { api: "openai-completions", apiKeyEnv: "ACME_SECRET" } },
  } as never);
  expect(
    commandEnvironment({ ACME_SECRET: "x", acme_secret: "x", HOME: "/home/me", GITHUB_TOKEN: "y" }, hidden),
  ).toEqual({
    HOME: "/home/me",
    GITHUB_TOKEN: "y",
  });
});

it("names each variable once", () => {
  const names = keyVariables();
  expect(names.length).toBe(new Set(names).size);
});
