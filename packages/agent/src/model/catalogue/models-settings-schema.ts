import { z } from "zod";

const PRICES = {
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
};

/** Settings of a model. Omitted fields keep their known value, or get a conservative default. */
const modelSettings = z.strictObject({
  id: z.string().min(1).describe("Model ID, as the server knows it."),
  name: z.string().min(1).describe("Display name.").optional(),
  contextWindow: z.number().int().positive().describe("Context window, in tokens.").optional(),
  maxOutput: z.number().int().positive().describe("Output limit, in tokens.").optional(),
  reasoning: z.boolean().describe("Whether it supports thinking.").optional(),
  images: z.boolean().describe("Whether it supports images.").optional(),
  prices: z
    .strictObject(PRICES)
    .describe("Dollars per million tokens; cached tokens cost as much as input by default.")
    .optional(),
  pricesBefore: z
    .array(
      z.strictObject({
        before: z.iso.date().describe("The first day on which these prices no longer applied."),
        ...PRICES,
      }),
    )
    .describe("Earlier prices, for `bough usage`.")
    .optional(),
});

const providerSettings = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .describe("Base URL of the server.")
    .optional(),
  api: z
    .enum([
      "anthropic-messages",
      "openai-responses",
      "openai-completions",
      "google-generative-ai",
      "amazon-bedrock",
      "google-vertex",
      "azure-openai",
    ])
    .describe("API type.")
    .optional(),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable")
    .describe("Environment variable that holds the key; never put the key itself in settings.")
    .optional(),
  key: z
    .string()
    .regex(/^!./, "must be ! and a command that prints the key")
    .describe("`!` and a command that prints the key, such as `!pass show openai`; run when a key is needed.")
    .optional(),
  headers: z
    .record(z.string().regex(/^[A-Za-z0-9-]+$/, "must be the name of a header"), z.string())
    .describe("Headers to send with every request; $NAME is replaced by an environment variable.")
    .optional(),
  allowHttp: z
    .boolean()
    .describe("Send the key without encryption if the base URL is http on another machine (default false).")
    .optional(),
  models: z.array(modelSettings).describe("Models to add or override.").optional(),
});

/**
 * The `models` section of the settings.
 *
 * A base URL decides who gets the key, so this section is only read from the user's settings, never from a project's.
 */
export const modelsSettingsSchema = z.strictObject({
  default: z.string().min(1).describe("The default model, as provider/model.").optional(),
  refresh: z
    .union([z.boolean(), z.url({ protocol: /^https?$/ })])
    .describe(
      "Fetch new models and prices once a day, from models.dev or from this address, if a key is set up (default true).",
    )
    .optional(),
  providers: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, "must be a lower-case name without slashes"), providerSettings)
    .optional(),
});
