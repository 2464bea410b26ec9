/** Providers registered by extensions and programs. */
import { attempt, defined, isRecord } from "@bough/session/text/index.js";
import type { KeyCommands } from "./account/key-commands.js";
import type { Catalogue } from "./catalogue/catalogue.js";
import { wholePrices } from "./catalogue/cost-of.js";
import type { ProviderInfo } from "./catalogue/known-providers.js";
import { type LanguageModel, type ModelApi, type ModelInfo, UNKNOWN_LIMITS } from "./language-model.js";
import { type Environment, expanded } from "./network/environment.js";
import type { OAuthCredentials, ProviderLogin, ProviderOAuth } from "./provider/oauth-config.js";
import type { ProviderConfig, ProviderModelConfig } from "./provider-config.js";
import { simpleModel } from "./simple-model.js";

type CredentialsOf = (provider: string) => OAuthCredentials | undefined;

interface FetchParts {
  readonly fetch: typeof globalThis.fetch;
  readonly key: () => Promise<string | undefined>;
}

export class RegisteredProviders {
  readonly #configs = new Map<string, ProviderConfig>();
  readonly #live = new Map<string, readonly ProviderModelConfig[]>();
  readonly #keyCommands: KeyCommands;
  readonly #env: Environment;

  constructor({ env, keyCommands }: { readonly env: Environment; readonly keyCommands: KeyCommands }) {
    this.#env = env;
    this.#keyCommands = keyCommands;
  }

  set(name: string, config: ProviderConfig): void {
    this.#configs.set(name, config);
    this.#live.delete(name);
  }

  delete(name: string): void {
    this.#configs.delete(name);
    this.#live.delete(name);
  }

  get(name: string): ProviderConfig | undefined {
    return this.#configs.get(name);
  }

  all(): readonly (readonly [provider: string, config: ProviderConfig])[] {
    return [...this.#configs];
  }

  /** Providers with a login. */
  logins(isLoggedIn: (provider: string) => boolean): readonly ProviderLogin[] {
    return this.all().flatMap(([provider, { oauth }]) =>
      oauth === undefined ? [] : [{ provider, name: oauth.name, loggedIn: isLoggedIn(provider) }],
    );
  }

  /** Replaces the models that the provider was registered with. */
  setLive(name: string, models: readonly ProviderModelConfig[]): void {
    this.#live.set(name, models);
  }

  /** Applies the registrations to a catalogue. */
  changed(catalogue: Catalogue, credentialsOf: CredentialsOf): Catalogue {
    if (this.#configs.size === 0) return catalogue;
    const { providers, models } = catalogue;
    const infos = new Map(providers);
    let all = [...models];
    for (const [name, config] of this.#configs) {
      const provider = changedProvider(infos.get(name), config);
      infos.set(name, provider);
      const listed = this.#live.get(name) ?? config.models;
      const given = listed?.map((model) => modelInfo({ provider: name, model, known: provider }));
      const kept = all.filter((info) => info.provider !== name);
      const own = given ?? all.filter((info) => info.provider === name).map((info) => withBaseUrl(info, provider));
      all = [...kept, ...forLogin({ own, oauth: config.oauth, credentials: credentialsOf(name) })];
    }
    return { providers: infos, models: all };
  }

  /** Whether a registration includes a key. Does not run a command that prints one. */
  bringsKey(name: string): boolean {
    return this.#configs.get(name)?.apiKey?.startsWith("!") === true || this.key(name) !== undefined;
  }

  /** The key included in a registration. */
  key(name: string): string | undefined {
    const given = this.#configs.get(name)?.apiKey;
    if (given === undefined) return undefined;
    if (given.startsWith("!")) return this.#keyCommands.keyAtOnce(given.slice(1));
    const text = expanded(given.replace(/^\$!/, "!"), this.#env);
    return text.trim() === "" ? undefined : text.trim();
  }

  /** A model whose provider has its own stream; undefined for all others. */
  open(info: ModelInfo, key: () => Promise<string | undefined>): LanguageModel | undefined {
    const config = this.#configs.get(info.provider);
    const { stream, streamSimple } = config ?? {};
    if (stream !== undefined) return { info, stream: (request, options) => stream(info, request, options) };
    if (streamSimple === undefined) return undefined;
    return simpleModel(info, { streamSimple, apiKey: key });
  }

  /** Adds the headers of the registration to `fetch`. */
  fetch(info: ModelInfo, { fetch, key: freshKey }: FetchParts): typeof globalThis.fetch {
    const config = this.#configs.get(info.provider);
    const model = (this.#live.get(info.provider) ?? config?.models)?.find(({ id }) => id === info.id);
    const given = { ...config?.headers, ...model?.headers };
    if (Object.keys(given).length === 0 && config?.authHeader !== true) return fetch;
    return async (input, init) => {
      const headers = new Headers(init?.headers);
      const key = config?.authHeader === true ? await freshKey() : undefined;
      const extra = { ...given, ...(key && { authorization: `Bearer ${key}` }) };
      for (const [name, value] of Object.entries(extra)) headers.set(name, value);
      return fetch(input, { ...init, headers });
    };
  }
}

interface ModelsOfLogin {
  readonly own: readonly ModelInfo[];
  readonly oauth: ProviderOAuth | undefined;
  readonly credentials: OAuthCredentials | undefined;
}

/** If the extension fails, the models stay unchanged. */
function forLogin({ own, oauth, credentials }: ModelsOfLogin): readonly ModelInfo[] {
  if (oauth?.modifyModels === undefined || credentials === undefined) return own;
  const changed = attempt(() => oauth.modifyModels?.(own, credentials));
  return Array.isArray(changed) ? changed : own;
}

function changedProvider(known: ProviderInfo | undefined, config: ProviderConfig): ProviderInfo {
  const speaksItself = config.stream !== undefined || config.streamSimple !== undefined;
  return {
    api: (config.api ?? known?.api ?? "openai-completions") as ModelApi,
    baseUrl: (config.baseUrl ?? known?.baseUrl)?.replace(/\/+$/, ""),
    keyVariables: known?.keyVariables ?? [],
    needsKey: config.oauth !== undefined || (!speaksItself && (known?.needsKey ?? config.apiKey !== undefined)),
    anyModel: config.models === undefined && config.refreshModels === undefined && (known?.anyModel ?? true),
  };
}

interface GivenModel {
  readonly provider: string;
  readonly model: ProviderModelConfig;
  readonly known: ProviderInfo;
}

function modelInfo({ provider, model, known }: GivenModel): ModelInfo {
  const { id, name, api, cost, input = ["text"], reasoning = false } = model;
  const baseUrl = model.baseUrl ?? known.baseUrl;
  return {
    provider,
    id,
    name: name ?? id,
    api: (api ?? known.api) as ModelApi,
    contextWindow: model.contextWindow ?? UNKNOWN_LIMITS.contextWindow,
    maxOutput: model.maxTokens ?? UNKNOWN_LIMITS.maxOutput,
    reasoning,
    images: input.includes("image"),
    prices: isRecord(cost) ? wholePrices(cost) : undefined,
    ...defined({ baseUrl, cacheSeconds: positive(model.promptCache?.short) }),
  };
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : undefined;
}

function withBaseUrl(info: ModelInfo, { baseUrl }: ProviderInfo): ModelInfo {
  return baseUrl === undefined ? info : { ...info, baseUrl };
}
