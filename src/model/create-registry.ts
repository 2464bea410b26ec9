import { readAuthFile, saveKey } from "./auth-file.js";
import { type Catalogue, catalogue, namedModel } from "./catalogue/catalogue.js";
import { discoverServers, LOCAL_SERVERS, type LocalServer } from "./catalogue/discover-servers.js";
import { badBaseUrls } from "./catalogue/environment-settings.js";
import { PREFERENCE } from "./catalogue/known-models.js";
import type { ProviderInfo } from "./catalogue/known-providers.js";
import type { ModelsSettings } from "./catalogue/models-settings.js";
import type { LanguageModel, ModelInfo } from "./language-model.js";
import { ModelError } from "./model-error.js";
import type { ModelRegistry } from "./model-registry.js";
import { isClearText } from "./network/clear-text.js";
import { proxiedFetch } from "./network/proxied-fetch.js";
import { sameOriginFetch } from "./network/same-origin-fetch.js";
import { OFFLINE_INFO } from "./offline/offline-model.js";
import { openModel } from "./open-model.js";
import { OAuthLogins } from "./provider/oauth-logins.js";
import { refreshModels } from "./provider/refresh-models.js";
import { redactKeys } from "./redact-keys.js";
import { RegisteredProviders } from "./registered-providers.js";

const PROBE_MS = 400;

export interface RegistryOptions {
  /** `$BOUGH_HOME`, where `auth.json` is. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `models` section of the user's settings. */
  readonly overrides?: ModelsSettings;
  readonly fetch?: typeof globalThis.fetch;
  /** Where to look for servers on this machine. */
  readonly servers?: readonly LocalServer[];
  /** What time it is, for logins that expire. */
  readonly now?: () => number;
}

/** A registry that keeps its keys in a file of the user's. */
export interface UserModelRegistry extends ModelRegistry {
  /** Saves a key in `auth.json`, or takes it out; counts from the next step on. */
  saveKey(provider: string, key: string | undefined): void;
  /** What is wrong with `auth.json`, as sentences for a user. */
  problems(): readonly string[];
  /** What is odd about the addresses of providers, such as a key that is sent unencrypted. */
  warnings(): readonly string[];
}

/** The models of this user: what we know, what settings add, what keys open, what runs on this machine. */
export function createModelRegistry(options: RegistryOptions): UserModelRegistry {
  const byThemselves = catalogue(options.overrides, options.env);
  const registered = new RegisteredProviders(options.env);
  const logins = new OAuthLogins({
    home: options.home,
    now: options.now ?? Date.now,
    oauthOf: (provider) => registered.get(provider)?.oauth,
    onChange: () => update(),
  });
  let known = byThemselves;
  const update = () => {
    known = registered.changed(byThemselves, (provider) => logins.credentials(provider));
  };
  const discovered = new Map<string, ModelInfo>();
  let refreshErrors: ReadonlyMap<string, Error> = new Map();
  const fetch = sameOriginFetch(options.fetch ?? proxiedFetch(options.env));

  const models = (): ModelInfo[] => {
    const named = new Set(known.models.map((info) => `${info.provider}/${info.id}`));
    return [...known.models, ...[...discovered.values()].filter((info) => !named.has(`${info.provider}/${info.id}`))];
  };
  const keyFrom = (provider: string, saved: ReadonlyMap<string, string>): string | undefined => {
    const brought = logins.key(provider) ?? registered.key(provider);
    if (brought !== undefined) return brought;
    for (const variable of known.providers.get(provider)?.keyVariables ?? []) {
      const value = options.env[variable]?.trim();
      if (value !== undefined && value !== "") return value;
    }
    return saved.get(provider);
  };
  const apiKey = (provider: string) => keyFrom(provider, readAuthFile(options.home).keys);
  const freshKey = async (provider: string) => (await logins.freshKey(provider)) ?? apiKey(provider);
  const isReachable = (info: ModelInfo, saved: ReadonlyMap<string, string>): boolean => {
    const provider = known.providers.get(info.provider);
    if (provider?.needsKey !== true || registered.bringsKey(info.provider)) return true;
    return hasCredentials(provider, options.env) || keyFrom(info.provider, saved) !== undefined;
  };
  const available = (): ModelInfo[] => {
    const { keys } = readAuthFile(options.home);
    return models().filter((info) => isReachable(info, keys));
  };
  const resolve = (reference: string) => resolveModel(reference, { models: models(), providers: known.providers });

  const refresh: NonNullable<ModelRegistry["refreshModels"]> = async (wish = {}) => {
    const result = await refreshModels(
      {
        home: options.home,
        configs: registered.all(),
        credentialOf: async (provider) => {
          const key = await freshKey(provider);
          const login = logins.credentials(provider);
          if (login !== undefined) return { ...login, type: "oauth" };
          return key === undefined ? undefined : { type: "api_key", key };
        },
        onModels: (provider, list) => registered.setLive(provider, list),
      },
      wish,
    );
    refreshErrors = result.errors;
    update();
    return result;
  };

  return {
    all: models,
    available,
    resolve,
    apiKey,
    open: (info: ModelInfo): LanguageModel => {
      const key = () => freshKey(info.provider);
      const own = registered.open(info, key);
      if (own !== undefined) return own;
      const provider = known.providers.get(info.provider);
      const needsKey = provider?.needsKey === true && !hasCredentials(provider, options.env);
      return openModel({
        info,
        fetch: withHeaders(registered.fetch(info, { fetch, key }), provider?.headers),
        apiKey: key,
        env: options.env,
        ...(needsKey && { needsKey: { variables: provider.keyVariables } }),
      });
    },
    async discover({ signal, timeoutMs = PROBE_MS } = {}) {
      const servers = options.servers ?? LOCAL_SERVERS;
      const [found] = await Promise.all([
        discoverServers({
          ...{ servers, fetch, timeoutMs },
          // A `fetch` of the caller's own may reach what no socket of ours does.
          isListening: options.fetch === undefined ? isListening : async () => true,
          ...(signal && { signal }),
        }),
        refresh(signal && { signal }),
      ]);
      // What was there before and is gone now is no longer offered.
      if (signal?.aborted !== true) discovered.clear();
      for (const info of found) discovered.set(`${info.provider}/${info.id}`, info);
      return found;
    },
    preferred() {
      if (options.overrides?.default !== undefined) return resolve(options.overrides.default);
      const reachable = available();
      for (const name of PREFERENCE) {
        const info = reachable.find((candidate) => `${candidate.provider}/${candidate.id}` === name);
        if (info !== undefined) return info;
      }
      return reachable.find((info) => info.provider !== OFFLINE_INFO.provider) ?? OFFLINE_INFO;
    },
    registerProvider(name, config) {
      registered.set(name, config);
      update();
    },
    unregisterProvider(name) {
      registered.delete(name);
      update();
    },
    logins: () => registered.logins((provider) => logins.credentials(provider) !== undefined),
    login: (provider, callbacks) => logins.login(provider, callbacks),
    freshKey,
    refreshModels: refresh,
    saveKey(provider, key) {
      saveKey({ home: options.home, provider, key });
      update();
    },
    problems() {
      const { problem } = readAuthFile(options.home);
      return problem === undefined ? [] : [problem];
    },
    warnings() {
      const { keys } = readAuthFile(options.home);
      const bad = badBaseUrls(options.env).map((variable) => `${variable} is not an http or https URL`);
      const clear = [...known.providers].filter(
        ([name, { baseUrl }]) => isClearText(baseUrl) && keyFrom(name, keys) !== undefined,
      );
      const stale = [...refreshErrors].map(
        ([name, { message }]) =>
          `The models of ${name} could not be listed: ${redactKeys(message, keyFrom(name, keys))}`,
      );
      return [...bad, ...clear.map(([name, { baseUrl }]) => clearTextSentence(name, baseUrl ?? "")), ...stale];
    },
  };
}

/** Whether the environment has what does instead of a key. */
function hasCredentials({ credentials = [] }: ProviderInfo, env: RegistryOptions["env"]): boolean {
  return credentials.some((list) => list.every((variable) => (env[variable] ?? "").trim() !== ""));
}

function clearTextSentence(provider: string, baseUrl: string): string {
  return `The key for ${provider} is sent unencrypted to ${new URL(baseUrl).host}; use an https base URL`;
}

type Fetch = typeof globalThis.fetch;

function withHeaders(fetch: Fetch, given: Readonly<Record<string, string>> | undefined): Fetch {
  if (given === undefined) return fetch;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(given)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}

/**
 * Whether anything accepts connections there. A bare socket: `fetch` takes longer to load than a connection to this
 * machine takes to be refused, which is what happens nearly always.
 */
async function isListening(origin: string, signal: AbortSignal): Promise<boolean> {
  const { connect } = await import("node:net");
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port === "" ? 80 : port) });
    const end = (answer: boolean) => {
      signal.removeEventListener("abort", stop);
      socket.destroy();
      resolve(answer);
    };
    const stop = () => end(false);
    socket.once("connect", () => end(true));
    socket.once("error", stop);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}

const NEAR = 5;

/**
 * The model a reference means: `provider/model`, a model's id, or a part of a name that only one model has.
 *
 * Upper and lower case are the same. Providers with lists of their own take any name.
 */
function resolveModel(reference: string, { models, providers }: Catalogue): ModelInfo {
  const wanted = reference.trim().toLowerCase();
  const exact = models.find((info) => fullName(info) === wanted);
  if (exact !== undefined) return exact;

  const slash = reference.trim().indexOf("/");
  const providerName = slash < 0 ? undefined : wanted.slice(0, slash);
  const provider = providerName === undefined ? undefined : providers.get(providerName);
  if (providerName !== undefined && provider?.anyModel === true && wanted.length > slash + 1) {
    return namedModel({ provider: providerName, id: reference.trim().slice(slash + 1) }, provider);
  }

  const sameId = models.filter((info) => info.id.toLowerCase() === wanted);
  if (sameId.length === 1) return sameId[0] as ModelInfo;
  const matches =
    wanted === "" ? [] : models.filter((info) => `${fullName(info)} ${info.name.toLowerCase()}`.includes(wanted));
  if (matches.length === 1) return matches[0] as ModelInfo;
  if (matches.length > 1) {
    throw new ModelError("ambiguous-model", `Several models match ${reference}`, {
      data: { reference, matches: matches.map(fullName) },
      hint: `Choose one: ${list(matches)}`,
    });
  }
  if (providerName !== undefined && provider === undefined) {
    throw new ModelError("unknown-provider", `Unknown provider ${providerName}`, {
      data: { reference, providers: [...providers.keys()] },
      hint: `Known providers: ${[...providers.keys()].join(", ")}. Add others to the settings under models.providers.`,
    });
  }
  const near = nearest(wanted, models);
  throw new ModelError("unknown-model", `Unknown model ${reference}`, {
    data: { reference, near: near.map(fullName) },
    hint: `Closest: ${list(near)}. Add new models to the settings under models.providers.`,
  });
}

function fullName(info: ModelInfo): string {
  return `${info.provider}/${info.id}`.toLowerCase();
}

function list(models: readonly ModelInfo[]): string {
  const shown = models.slice(0, NEAR).map(fullName);
  return models.length > NEAR ? `${shown.join(", ")} and ${models.length - NEAR} more` : shown.join(", ");
}

/** Those that share the most pairs of letters with what was written. */
function nearest(wanted: string, models: readonly ModelInfo[]): ModelInfo[] {
  const pairs = pairsOf(wanted);
  const scored = models.map((info) => {
    const own = pairsOf(wanted.includes("/") ? fullName(info) : info.id.toLowerCase());
    const shared = [...pairs].filter((pair) => own.has(pair)).length;
    return { info, score: (2 * shared) / (pairs.size + own.size || 1) };
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, NEAR)
    .map(({ info }) => info);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
