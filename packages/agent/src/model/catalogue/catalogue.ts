import { defined } from "@bough/session/text/index.js";
import type { ModelInfo, ModelPrices } from "../language-model.js";
import { type Environment, expanded } from "../network/environment.js";
import { OFFLINE_INFO } from "../offline/offline-model.js";
import { wholePrices } from "./cost-of.js";
import { environmentSettings } from "./environment-settings.js";
import type { FetchedList } from "./fetched-lists.js";
import { KNOWN_MODELS } from "./known-models.js";
import { apiOfModel, KNOWN_PROVIDERS, type ProviderInfo } from "./known-providers.js";
import { listedModels } from "./listed-models-table.js";
import type { ListedModel } from "./models-file.js";
import type { ModelSettings, ModelsSettings, ProviderSettings } from "./models-settings.js";

export interface Catalogue {
  readonly providers: ReadonlyMap<string, ProviderInfo>;
  readonly models: readonly ModelInfo[];
}

/** Lists that are read only if a model is looked for. */
export interface ModelLists {
  /** Of the user's file. */
  readonly listed?: () => readonly ListedModel[];
  readonly fetched?: () => readonly FetchedList[];
}

/** Conservative guesses for a model of which only the name is known. */
const UNKNOWN = { contextWindow: 32_768, maxOutput: 8192, reasoning: false, images: false, prices: undefined } as const;

/**
 * The built-in models and providers, changed and extended by fetched lists, the user's list, the environment and settings.
 * What comes later wins.
 */
export function catalogue(settings: ModelsSettings = {}, env: Environment = {}, lists: ModelLists = {}): Catalogue {
  const providers = new Map(Object.entries(KNOWN_PROVIDERS));
  const changes = Object.entries(allChanges(settings, env)).filter(([name]) => name !== OFFLINE_INFO.provider);
  for (const [name, change] of changes) providers.set(name, changedProvider(name, providers.get(name), change));
  let models: readonly ModelInfo[] | undefined;
  return {
    providers,
    // Hundreds of models, and a start with the offline model needs none of them.
    get models() {
      models ??= allModels({ providers, changes, listed: lists.listed?.() ?? [], fetched: lists.fetched?.() ?? [] });
      return models;
    },
  };
}

interface ModelSources {
  readonly providers: ReadonlyMap<string, ProviderInfo>;
  readonly changes: readonly (readonly [provider: string, changes: ProviderSettings])[];
  readonly listed: readonly ListedModel[];
  readonly fetched: readonly FetchedList[];
}

function allModels({ providers, changes, listed, fetched }: ModelSources): ModelInfo[] {
  const models = new Map([...KNOWN_MODELS, OFFLINE_INFO].map((info) => [keyOf(info), info]));
  for (const info of listedModels()) {
    const key = keyOf(info);
    if (!models.has(key)) models.set(key, info);
  }
  for (const { from, models: list } of fetched) {
    for (const { provider: name, ...facts } of list) {
      const provider = KNOWN_PROVIDERS[name];
      const key = `${name}/${facts.id}`;
      if (provider === undefined) continue;
      models.set(
        key,
        withFetched(models.get(key) ?? namedModel({ provider: name, id: facts.id }, provider), facts, from),
      );
    }
  }
  for (const { provider: name, ...facts } of listed) {
    const provider = KNOWN_PROVIDERS[name];
    const key = `${name}/${facts.id}`;
    if (provider === undefined) continue;
    const { pricesFrom, ...before } = models.get(key) ?? namedModel({ provider: name, id: facts.id }, provider);
    const marked = facts.prices === undefined && pricesFrom !== undefined ? { pricesFrom } : {};
    models.set(key, { ...before, ...facts, ...marked });
  }
  for (const [name, change] of changes) {
    const provider = providers.get(name);
    if (provider === undefined) continue;
    for (const [key, info] of models) {
      if (info.provider === name) models.set(key, withProvider(info, provider));
    }
    for (const model of change.models ?? []) {
      const key = `${name}/${model.id}`;
      models.set(key, changedModel(models.get(key) ?? namedModel({ provider: name, id: model.id }, provider), model));
    }
  }
  return [...models.values()];
}

const HAND_KEPT: ReadonlySet<string> = new Set(KNOWN_MODELS.map(keyOf));

/** Of models kept by hand, only prices are taken: their windows are those that every account gets. */
function withFetched(info: ModelInfo, { prices, ...facts }: Omit<ListedModel, "provider">, from: string): ModelInfo {
  const base = HAND_KEPT.has(keyOf(info)) ? info : { ...info, ...facts };
  if (prices === undefined || isSamePrice(prices, info.prices)) return base;
  const { above } = info.prices ?? {};
  return { ...base, prices: { ...prices, ...defined({ above }) }, pricesFrom: from };
}

function isSamePrice(prices: ModelPrices, known: ModelPrices | undefined): boolean {
  return (["input", "output", "cacheRead", "cacheWrite"] as const).every((name) => prices[name] === known?.[name]);
}

function keyOf({ provider, id }: { readonly provider: string; readonly id: string }): string {
  return `${provider}/${id}`;
}

function allChanges(settings: ModelsSettings, env: Environment): Record<string, ProviderSettings> {
  const changes: Record<string, ProviderSettings> = { ...environmentSettings(env) };
  for (const [name, own] of Object.entries(settings.providers ?? {})) {
    const headers = { ...changes[name]?.headers, ...expandedAll(own.headers ?? {}, env) };
    changes[name] = { ...changes[name], ...defined(own), headers };
  }
  return changes;
}

function expandedAll(headers: Readonly<Record<string, string>>, env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), expanded(value, env)]));
}

/** A model of which only the name is known. */
export function namedModel(
  name: { readonly provider: string; readonly id: string },
  provider: ProviderInfo,
): ModelInfo {
  return withProvider(
    { ...name, name: name.id, api: provider.api, ...UNKNOWN, ...factsOfHostedModel(name.id, provider) },
    provider,
  );
}

/**
 * Facts about a model that clouds host for another vendor: Bedrock's `us.anthropic.claude-sonnet-4-5-20250929-v1:0` is
 * Claude Sonnet 4.5. Prices differ, so they stay unknown.
 */
function factsOfHostedModel(id: string, { api }: ProviderInfo): Partial<ModelInfo> {
  if (api !== "amazon-bedrock" && api !== "google-vertex" && api !== "azure-openai") return {};
  const [same] = KNOWN_MODELS.filter((info) => id.includes(info.id)).sort((a, b) => b.id.length - a.id.length);
  if (same === undefined) return {};
  const { contextWindow, maxOutput, reasoning, images } = same;
  return { contextWindow, maxOutput, reasoning, images };
}

function withProvider(info: ModelInfo, provider: ProviderInfo): ModelInfo {
  const { baseUrl } = provider;
  return { ...info, api: apiOfModel(provider, info.id), ...defined({ baseUrl }) };
}

function changedProvider(name: string, known: ProviderInfo | undefined, changes: ProviderSettings): ProviderInfo {
  const ownVariable = `${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}_API_KEY`;
  return {
    api: changes.api ?? known?.api ?? "openai-completions",
    // An address of one's own speaks the protocol that the settings say.
    ...(changes.api === undefined && known?.otherApis !== undefined ? { otherApis: known.otherApis } : {}),
    baseUrl: (changes.baseUrl ?? known?.baseUrl)?.replace(/\/+$/, ""),
    keyVariables: changes.apiKeyEnv === undefined ? (known?.keyVariables ?? [ownVariable]) : [changes.apiKeyEnv],
    // A server from settings often needs no key, unless the settings name a variable for it.
    needsKey: changes.apiKeyEnv !== undefined || changes.key !== undefined || (known?.needsKey ?? false),
    allowHttp: changes.allowHttp,
    credentials: known?.credentials,
    headers: Object.keys(changes.headers ?? {}).length === 0 ? undefined : changes.headers,
    // A server from settings has its own model names.
    anyModel:
      (known?.anyModel ?? changes.models === undefined) || (known !== undefined && changes.baseUrl !== undefined),
  };
}

function changedModel({ pricesFrom, ...info }: ModelInfo, changes: ModelSettings): ModelInfo {
  return {
    ...info,
    ...(changes.prices === undefined ? defined({ pricesFrom }) : {}),
    name: changes.name ?? info.name,
    contextWindow: changes.contextWindow ?? info.contextWindow,
    maxOutput: changes.maxOutput ?? info.maxOutput,
    reasoning: changes.reasoning ?? info.reasoning,
    images: changes.images ?? info.images,
    prices: changes.prices === undefined ? info.prices : wholePrices(changes.prices),
  };
}
