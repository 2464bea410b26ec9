/** Subcommands about models and the accounts they need. */
import type { Subcommand } from "../subcommand.js";

const PROVIDERS = [
  ...["anthropic", "openai", "google", "openrouter", "groq", "xai", "mistral", "deepseek"],
  ...["together", "fireworks", "cerebras", "azure", "bedrock", "vertex"],
] as const;

export const ACCOUNT_COMMANDS: readonly Subcommand[] = [
  {
    name: "models",
    usage: "[words...]",
    summary: "List models, with context window, price and key",
    details:
      "Lists the models Bough knows, those of your settings, and those of servers on this machine. Prices are built in, with their date; nothing is fetched. --refresh reads newer ones from a file: the api.json of models.dev, or what --json prints. See docs/models.md.",
    flags: {
      usable: { short: "u", help: "only models you have a key for, or that need none" },
      refresh: { value: "file", help: "take models and prices from this file; never fetched" },
      "no-servers": { help: "do not look for servers on this machine" },
    },
    examples: [
      ["models", "all of them"],
      ["models --usable", "those that can be used now"],
      ["models claude sonnet", "only models whose name contains these words"],
      ["models --refresh api.json", "newer models and prices, from a file you downloaded"],
    ],
    json: '{ "prices": { builtIn: date, list: date or null }, "models": [{ model, provider, id, name, contextWindow, maxOutput, reasoning, images, prices: { input, output, cacheRead, cacheWrite, above? } or null, usable, key: variable, "saved" or null, source: "built in" | "list" | "settings" | "server" }] }; with --refresh: { "models", "providers", "date" }',
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../account/models.js"),
  },
  {
    name: "login",
    usage: "<provider>",
    summary: "Check an API key with its provider and save it",
    details:
      "Asks for the key without showing it, or reads it from standard input. The key is checked with a request that costs nothing where the provider has one, and saved in auth.json in Bough's folder, readable only by you. A key in the environment comes first. See docs/models.md for every provider.",
    flags: {
      model: { value: "name", help: "also check that this model can be used" },
      "no-check": { help: "save the key without asking the provider" },
    },
    examples: [
      ["login anthropic", "type or paste the key"],
      ["login openrouter < key.txt", "read it from a file"],
      ["login openai --model gpt-5.2", "check the model too"],
    ],
    json: '{ "provider", "saved": boolean, "checked": boolean, "models"?: number, "file"?: path, "failure"?: { reason, message, hint } }',
    args: { least: 1, most: 1 },
    completes: PROVIDERS,
    load: () => import("../account/login.js"),
  },
  {
    name: "logout",
    usage: "<provider>",
    summary: "Remove a saved API key",
    details: "Removes the key from auth.json. A key in the environment stays and is named.",
    flags: {},
    examples: [["logout anthropic", "forget its key"]],
    json: '{ "provider", "removed": boolean, "remaining": variable or null }',
    args: { least: 1, most: 1 },
    completes: PROVIDERS,
    load: () => import("../account/logout.js"),
  },
];
