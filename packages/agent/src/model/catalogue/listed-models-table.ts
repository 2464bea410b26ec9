/** Reads the table of built-in models. Every start does this, so it makes no more objects than it returns. */
import type { ModelInfo, ModelPrices } from "../language-model.js";
import { KNOWN_MODELS } from "./known-models.js";
import { apiOfModel, KNOWN_PROVIDERS, type ProviderInfo } from "./known-providers.js";
import { LISTED_TABLES } from "./listed-models.js";

let read: readonly ModelInfo[] | undefined;

/** The models of `listed-models.ts`: `id|name|context|output|flags|prices`, where the flags are r(easoning) and i(mages). */
export function listedModels(): readonly ModelInfo[] {
  if (read !== undefined) return read;
  const models: ModelInfo[] = [];
  for (const [provider, table] of Object.entries(LISTED_TABLES)) {
    const info = KNOWN_PROVIDERS[provider];
    if (info === undefined) throw new Error(`bug: models of an unknown provider ${provider}`);
    for (const row of table.trim().split("\n")) models.push(listedModel(row, provider, info));
  }
  read = models;
  return read;
}

/** Whether a provider has a long list of models, of which none is better than the others until someone chooses one. */
export function isListed(provider: string): boolean {
  const known = Object.hasOwn(KNOWN_PROVIDERS, provider) ? KNOWN_PROVIDERS[provider] : undefined;
  return known?.needsKey === true && !KNOWN_MODELS.some((info) => info.provider === provider);
}

function listedModel(row: string, provider: string, providerInfo: ProviderInfo): ModelInfo {
  const { baseUrl } = providerInfo;
  const [id = "", name = "", context, output, flags = "", prices = ""] = row.split("|");
  const info = {
    provider,
    id,
    name: name === "" ? id : name,
    api: apiOfModel(providerInfo, id),
    contextWindow: Number(context),
    maxOutput: Number(output),
    reasoning: flags.includes("r"),
    images: flags.includes("i"),
    prices: prices === "" ? undefined : pricesOf(prices),
  };
  return baseUrl === undefined ? info : { ...info, baseUrl };
}

/** A cache without a price of its own costs as much as input. */
function pricesOf(cell: string): ModelPrices {
  const [input = "", output, cacheRead = "", cacheWrite = ""] = cell.split(" ");
  return {
    input: Number(input),
    output: Number(output),
    cacheRead: Number(cacheRead === "" ? input : cacheRead),
    cacheWrite: Number(cacheWrite === "" ? input : cacheWrite),
  };
}
