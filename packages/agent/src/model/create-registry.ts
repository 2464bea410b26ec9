import { isLoopback } from "@bough/session/text/index.js";
import { authPath, readAuthFile } from "@bough/workbench/secrets/index.js";
import { BROWSER_SIGN_INS, type BrowserSignIn, browserKey } from "./account/browser-key.js";
import { type AccountCheck, type CheckOptions, checkAccount } from "./account/check-account.js";
import { KeyCommands } from "./account/key-commands.js";
import { type Catalogue, catalogue, namedModel } from "./catalogue/catalogue.js";
import { badBaseUrls } from "./catalogue/environment-settings.js";
import {
  fetchList,
  isDue,
  MODELS_DEV,
  MODELS_DEV_URL,
  modelsOfModelsDev,
  readFetchedLists,
} from "./catalogue/fetched-lists.js";
import { gatewayListUrl, modelsOfGateway } from "./catalogue/gateway-list.js";
import { PREFERENCE } from "./catalogue/known-models.js";
import { KNOWN_PROVIDERS, type ProviderInfo } from "./catalogue/known-providers.js";
import { isListed, listedModels } from "./catalogue/listed-models-table.js";
import { readModelsFile } from "./catalogue/models-file.js";
import type { ModelsSettings } from "./catalogue/models-settings.js";
import { newestOf } from "./catalogue/newest-of.js";
import { resolveModel, unknownProvider } from "./catalogue/resolve-model.js";
import { keyFailure, noKeyFailure } from "./failure/model-failure.js";
import type { LanguageModel, ModelInfo } from "./language-model.js";
import { discoverServers } from "./local/discover-servers.js";
import { LOCAL_SERVERS, type LocalServer, localServer } from "./local/local-server.js";
import { preparedModel } from "./local/prepared-model.js";
import { ModelError } from "./model-error.js";
import type { ModelRegistry } from "./model-registry.js";
import { apiFetch, encryptedFetch, isClearText } from "./network/api-fetch.js";
import { proxiedFetch } from "./network/proxied-fetch.js";
import { sameOriginFetch } from "./network/same-origin-fetch.js";
import { OFFLINE_INFO } from "./offline/offline-model.js";
import { openModel } from "./open-model.js";
import { OAuthLogins } from "./provider/oauth-logins.js";
import { refreshModels } from "./provider/refresh-models.js";
import { redactKeys } from "./redact-keys.js";
import { RegisteredProviders } from "./registered-providers.js";
import { saveKey } from "./save-keys.js";

const PROBE_MS = 400;
const OFFLINE_NAME = `${OFFLINE_INFO.provider}/${OFFLINE_INFO.id}`;

export interface RegistryOptions {
  /** `$BOUGH_HOME`, where `auth.json` is. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `models` section of the user's settings. */
  readonly overrides?: ModelsSettings;
  readonly fetch?: typeof globalThis.fetch;
  /** Where to look for servers on this machine. */
  readonly servers?: readonly LocalServer[];
  /** The clock, for logins that expire. */
  readonly now?: () => number;
}

/** Where the key of a provider comes from: a variable, a file, an extension or a command of the settings, with its name. */
export interface KeySource {
  readonly kind: "variable" | "file" | "extension" | "command";
  readonly name: string;
}

interface GatewayRequest {
  readonly isWanted: (provider: string) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** A registry that saves keys in the user's `auth.json`. */
export interface UserModelRegistry extends ModelRegistry {
  /** Saves a key in `auth.json`, or removes it. Takes effect with the next step. */
  saveKey(provider: string, key: string | undefined): void;
  /** Names of all providers: built-in ones, those from settings, and registered ones. */
  providers(): readonly string[];
  keySource(provider: string): KeySource | undefined;
  /** Asks a provider whether an account works. Never throws. */
  check(provider: string, options?: CheckOptions): Promise<AccountCheck>;
  /**
   * Fetches the list of models.dev and those of gateways with a key, once a day, if a model with a key is set up and the
   * setting `models.refresh` allows it. Never throws. Invalid entries of a list are skipped.
   */
  refreshLists(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Asks the gateways that have a key which models they offer. Never throws. */
  askGateways(options: { readonly signal?: AbortSignal; readonly timeoutMs: number }): Promise<void>;
  /** Signs in with a browser. Throws a ModelError `no-login` or `login-failed`. The key is not saved. */
  keyFromBrowser(provider: string, signIn: BrowserSignIn): Promise<string>;
  /** Problems with `auth.json`, as sentences for the user. */
  problems(): readonly string[];
  /** Warnings about providers, such as an unencrypted connection or a list of models that could not be read. */
  warnings(): readonly string[];
}

/** The user's models: built-in ones, those from settings and extensions, and those served on this machine. */
export function createModelRegistry(options: RegistryOptions): UserModelRegistry {
  const listsHere = {
    listed: () => readModelsFile(options.home)?.models ?? [],
    fetched: () => readFetchedLists(options.home),
  };
  let configured = catalogue(options.overrides, options.env, listsHere);
  const keyCommands = new KeyCommands();
  const registered = new RegisteredProviders({ env: options.env, keyCommands });
  const commandOf = (provider: string) => options.overrides?.providers?.[provider]?.key?.slice(1);
  const logins = new OAuthLogins({
    home: options.home,
    now: options.now ?? Date.now,
    oauthOf: (provider) => registered.get(provider)?.oauth,
    onChange: () => update(),
  });
  let known = configured;
  /** Models that bring their own stream, by name. */
  const ownModels = new Map<string, LanguageModel>();
  const update = () => {
    const changed = registered.changed(configured, (provider) => logins.credentials(provider));
    known = ownModels.size === 0 ? changed : withOwnModels(changed, ownModels);
  };
  const discovered = new Map<string, ModelInfo>();
  let refreshErrors: ReadonlyMap<string, Error> = new Map();
  const now = options.now ?? Date.now;
  const fetch = apiFetch(sameOriginFetch(options.fetch ?? proxiedFetch(options.env)));

  const models = (): ModelInfo[] => {
    const named = new Set(known.models.map((info) => `${info.provider}/${info.id}`));
    return [...known.models, ...[...discovered.values()].filter((info) => !named.has(`${info.provider}/${info.id}`))];
  };
  const keyFrom = (provider: string, saved: ReadonlyMap<string, string>): string | undefined => {
    const ownKey = logins.key(provider) ?? registered.key(provider);
    if (ownKey !== undefined) return ownKey;
    for (const variable of known.providers.get(provider)?.keyVariables ?? []) {
      const value = options.env[variable]?.trim();
      if (value !== undefined && value !== "") return value;
    }
    return saved.get(provider);
  };
  const apiKey = (provider: string) => keyFrom(provider, readAuthFile(options.home).keys);
  const freshKey = async (provider: string) => {
    const login = await logins.freshKey(provider);
    const command = commandOf(provider);
    // A command in the settings is a choice for this provider; a variable may be set for other programs.
    if (login !== undefined || command === undefined || registered.bringsKey(provider))
      return login ?? apiKey(provider);
    return keyCommands.key(provider, command);
  };
  const bringsKey = (provider: string) => registered.bringsKey(provider) || commandOf(provider) !== undefined;
  const isReachable = (info: ModelInfo, saved: ReadonlyMap<string, string>): boolean => {
    const provider = known.providers.get(info.provider);
    if (provider?.needsKey !== true || bringsKey(info.provider)) return true;
    return hasCredentials(provider, options.env) || keyFrom(info.provider, saved) !== undefined;
  };
  const available = (): ModelInfo[] => {
    const { keys } = readAuthFile(options.home);
    return models().filter((info) => isReachable(info, keys));
  };
  const fetchFor = (info: ModelInfo, key: () => Promise<string | undefined>): typeof globalThis.fetch => {
    const provider = known.providers.get(info.provider);
    const guarded = encryptedFetch(fetch, { allowHttp: provider?.allowHttp === true });
    return withHeaders(registered.fetch(info, { fetch: guarded, key }), provider?.headers);
  };
  /** One of many that a provider offers: the first of the list is not the best. */
  const isOnlyListed = ({ provider, id }: ModelInfo) =>
    isListed(provider) &&
    registered.get(provider) === undefined &&
    options.overrides?.providers?.[provider]?.models?.some((model) => model.id === id) !== true;
  const isDiscovered = (info: ModelInfo) => discovered.get(nameOf(info)) === info;
  /** Of the first provider that has one; built-in models go before fetched ones, so that the default does not change by itself. */
  const newestListed = (reachable: readonly ModelInfo[]): ModelInfo | undefined => {
    const builtIn = new Set(listedModels().map(nameOf));
    const listed = reachable.filter(isOnlyListed);
    for (const provider of Object.keys(KNOWN_PROVIDERS)) {
      const offered = listed.filter((info) => info.provider === provider);
      const known = offered.filter((info) => builtIn.has(nameOf(info)));
      const newest = newestOf(provider, known.length > 0 ? known : offered);
      if (newest !== undefined) return newest;
    }
    return undefined;
  };
  const resolve = (reference: string) => {
    // Without reading the list of models.
    if (reference === OFFLINE_NAME && registered.get(OFFLINE_INFO.provider) === undefined) return OFFLINE_INFO;
    const { keys } = readAuthFile(options.home);
    const isUsable = (info: ModelInfo) => isReachable(info, keys);
    return resolveModel(reference, { models: models(), providers: known.providers, isUsable });
  };

  const fetchOf = (provider: string): typeof globalThis.fetch => {
    const row = known.providers.get(provider);
    return withHeaders(encryptedFetch(fetch, { allowHttp: row?.allowHttp === true }), row?.headers);
  };
  /** A local server where the settings say it is. */
  const moved = (server: LocalServer): LocalServer => {
    const baseUrl = options.overrides?.providers?.[server.provider]?.baseUrl;
    return (baseUrl === undefined ? undefined : localServer(server.provider, baseUrl)) ?? server;
  };
  /** Servers that only the settings know, unless they name the models. */
  const namedServers = (): LocalServer[] =>
    Object.entries(options.overrides?.providers ?? {}).flatMap(([provider, { baseUrl, models: given }]) => {
      const row = known.providers.get(provider);
      const isOwn = !Object.hasOwn(KNOWN_PROVIDERS, provider) && row?.api === "openai-completions";
      if (!isOwn || baseUrl === undefined || given !== undefined || !URL.canParse(baseUrl)) return [];
      return [{ provider, origin: new URL(baseUrl).origin, kind: "openai", baseUrl: row.baseUrl ?? baseUrl }];
    });

  /** Gateways with a key, at the address that their requests go to. */
  const gateways = () =>
    [...known.providers].flatMap(([provider, row]) => {
      const own = Object.hasOwn(KNOWN_PROVIDERS, provider) ? KNOWN_PROVIDERS[provider] : undefined;
      const isGateway = own?.anyModel === true && own.needsKey && own.api === "openai-completions";
      const key = isGateway ? apiKey(provider) : undefined;
      if (key === undefined || row.baseUrl === undefined || registered.get(provider) !== undefined) return [];
      if (!URL.canParse(row.baseUrl)) return [];
      return [{ provider, baseUrl: row.baseUrl, key }];
    });
  const askGateways = async ({ isWanted, signal }: GatewayRequest): Promise<void> => {
    const wanted = gateways().filter(({ provider }) => isWanted(provider));
    const asked = wanted.map(({ provider, baseUrl, key }) =>
      fetchList({
        ...{ home: options.home, from: provider, url: gatewayListUrl(provider, baseUrl), signal },
        headers: { authorization: `Bearer ${key}` },
        fetch: fetchOf(provider),
        modelsOf: (answer) => modelsOfGateway(provider, answer),
        now: now(),
      }),
    );
    await readAgain(asked);
  };
  /** Uses the lists that arrived. */
  const readAgain = async (fetched: readonly Promise<boolean>[]): Promise<void> => {
    if (!(await Promise.all(fetched)).includes(true)) return;
    configured = catalogue(options.overrides, options.env, listsHere);
    update();
  };
  const refreshLists: UserModelRegistry["refreshLists"] = async ({ signal } = {}) => {
    const setting = options.overrides?.refresh ?? true;
    if (setting === false || !isOnline()) return;
    const due = (from: string): boolean => isDue({ home: options.home, from, now: now() });
    const request = { home: options.home, from: MODELS_DEV, fetch, modelsOf: modelsOfModelsDev, now: now(), signal };
    const url = setting === true ? MODELS_DEV_URL : setting;
    await Promise.all([
      askGateways({ isWanted: due, signal }),
      due(MODELS_DEV) ? readAgain([fetchList({ ...request, url })]) : undefined,
    ]);
  };
  /**
   * Whether a key is set up for a provider at its own address. If requests go to a company's gateway, or to this machine,
   * nothing else is asked, unless the settings say whom.
   */
  const isOnline = (): boolean => {
    const { keys } = readAuthFile(options.home);
    const isNamed = typeof options.overrides?.refresh === "string";
    return [...known.providers].some(([provider, row]) => {
      const isOwnAddress = row.baseUrl === KNOWN_PROVIDERS[provider]?.baseUrl && row.needsKey;
      if (!(isNamed ? row.needsKey : isOwnAddress && Object.hasOwn(KNOWN_PROVIDERS, provider))) return false;
      return (
        commandOf(provider) !== undefined || hasCredentials(row, options.env) || keyFrom(provider, keys) !== undefined
      );
    });
  };

  const refresh: NonNullable<ModelRegistry["refreshModels"]> = async (request = {}) => {
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
      request,
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
      const own = ownModels.get(nameOf(info)) ?? registered.open(info, key);
      if (own !== undefined) return own;
      const provider = known.providers.get(info.provider);
      const needsKey = provider?.needsKey === true && !hasCredentials(provider, options.env);
      const providerFetch = fetchFor(info, key);
      const model = openModel({
        info,
        fetch: providerFetch,
        apiKey: key,
        env: options.env,
        needsKey: needsKey ? { variables: provider.keyVariables } : undefined,
      });
      const server = localServer(info.provider, info.baseUrl);
      if (server === undefined) return model;
      const given = options.overrides?.providers?.[info.provider]?.models?.find(({ id }) => id === info.id);
      return preparedModel(model, {
        ...{ server, fetch: withKey(providerFetch, key), env: options.env },
        most: given?.contextWindow,
      });
    },
    async discover({ signal, timeoutMs = PROBE_MS } = {}) {
      const servers = [...(options.servers ?? LOCAL_SERVERS).map(moved), ...namedServers()];
      const [found] = await Promise.all([
        discoverServers({
          ...{ servers, timeoutMs, env: options.env },
          fetchOf: (provider) => withKey(fetchOf(provider), async () => apiKey(provider)),
          // A custom `fetch` may reach servers that a socket cannot, and a proxy those on other machines.
          isListening: async (origin, asked) =>
            options.fetch !== undefined || !isLoopback(new URL(origin).hostname) || isListening(origin, asked),
          signal,
        }),
        refresh(signal && { signal }),
      ]);
      // Drop servers that have stopped.
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
      const named = reachable.filter((info) => info.provider !== OFFLINE_INFO.provider && !isOnlyListed(info));
      return named.find((info) => !isDiscovered(info)) ?? newestListed(reachable) ?? named[0] ?? OFFLINE_INFO;
    },
    registerProvider(name, config) {
      registered.set(name, config);
      update();
    },
    unregisterProvider(name) {
      registered.delete(name);
      update();
    },
    registerModel(model) {
      ownModels.set(nameOf(model.info), model);
      update();
    },
    registeredModels: () => [...ownModels.values()].map(({ info }) => info),
    unregisterModel(provider, id) {
      ownModels.delete(nameOf({ provider, id }));
      update();
    },
    logins: () => registered.logins((provider) => logins.credentials(provider) !== undefined),
    login: (provider, callbacks) => logins.login(provider, callbacks),
    logout(provider) {
      const { keys, logins: saved } = readAuthFile(options.home);
      if (!keys.has(provider) && !saved.has(provider)) return false;
      saveKey({ home: options.home, provider, key: undefined });
      update();
      return true;
    },
    freshKey,
    refreshModels: refresh,
    refreshLists,
    keyFromBrowser: async (provider, signIn) => {
      const { baseUrl } = known.providers.get(provider) ?? {};
      if (!BROWSER_SIGN_INS.includes(provider) || baseUrl === undefined) {
        throw new ModelError("no-login", `${provider} has no sign-in for other programs`, { data: { provider } });
      }
      return browserKey({ provider, baseUrl, fetch: fetchOf(provider) }, signIn);
    },
    askGateways: ({ signal, timeoutMs }) => {
      const patience = AbortSignal.timeout(timeoutMs);
      const limited = signal === undefined ? patience : AbortSignal.any([signal, patience]);
      return askGateways({ isWanted: () => true, signal: limited });
    },
    saveKey(provider, key) {
      saveKey({ home: options.home, provider, key });
      update();
    },
    providers: () => [...known.providers.keys()],
    keySource(provider) {
      if (registered.bringsKey(provider)) return { kind: "extension", name: provider };
      if (commandOf(provider) !== undefined) return { kind: "command", name: `models.providers.${provider}.key` };
      const isSet = (variable: string) => (options.env[variable] ?? "").trim() !== "";
      const variable = known.providers.get(provider)?.keyVariables.find(isSet);
      if (variable !== undefined) return { kind: "variable", name: variable };
      const { keys } = readAuthFile(options.home);
      return keys.has(provider) ? { kind: "file", name: authPath(options.home) } : undefined;
    },
    async check(provider, checkOptions = {}) {
      const row = known.providers.get(provider);
      if (row === undefined) throw unknownProvider(provider, [...known.providers.keys()]);
      const info = checkOptions.model ?? namedModel({ provider, id: "" }, row);
      const key = checkOptions.key ?? (await freshKey(provider).catch(modelErrorOf));
      if (key instanceof ModelError) return { kind: "fails", failure: keyFailure(key) };
      const env = options.env;
      if (key === undefined && row.needsKey && !bringsKey(provider) && !hasCredentials(row, env)) {
        return { kind: "fails", failure: noKeyFailure(info, row.keyVariables) };
      }
      const providerFetch = fetchFor(info, async () => key);
      return checkAccount({
        ...{ ...checkOptions, provider, info: { ...info, id: "" }, fetch: providerFetch, now: options.now ?? Date.now },
        key,
        open: (model) => openModel({ info: model, fetch: providerFetch, apiKey: () => key, env }),
      });
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
      return [...bad, ...clear.map(([name, row]) => clearTextSentence(name, row)), ...stale];
    },
  };
}

function nameOf({ provider, id }: Pick<ModelInfo, "provider" | "id">): string {
  return `${provider}/${id}`;
}

function withOwnModels(catalogue: Catalogue, own: ReadonlyMap<string, LanguageModel>): Catalogue {
  const providers = new Map(catalogue.providers);
  for (const { info } of own.values()) {
    if (providers.has(info.provider)) continue;
    providers.set(info.provider, { api: info.api, keyVariables: [], needsKey: false, anyModel: false });
  }
  const models = catalogue.models.filter((info) => !own.has(nameOf(info)));
  return { providers, models: [...models, ...[...own.values()].map(({ info }) => info)] };
}

/** Whether the environment has credentials that replace a key. */
function hasCredentials({ credentials = [] }: ProviderInfo, env: RegistryOptions["env"]): boolean {
  return credentials.some((list) => list.every((variable) => (env[variable] ?? "").trim() !== ""));
}

function clearTextSentence(provider: string, { baseUrl = "", allowHttp = false }: ProviderInfo): string {
  const { host } = new URL(baseUrl);
  return allowHttp
    ? `The key for ${provider} is sent unencrypted to ${host}; use an https base URL`
    : `The key for ${provider} is not sent to ${host}, which is not encrypted; use an https base URL`;
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

/** Adds the key to every request, for servers that always require it. */
function withKey(fetch: Fetch, apiKey: () => Promise<string | undefined>): Fetch {
  return async (input, init) => {
    const key = await apiKey();
    return withHeaders(fetch, key === undefined ? undefined : { authorization: `Bearer ${key}` })(input, init);
  };
}

/**
 * Whether something accepts connections at an address. Uses a plain socket, because loading `fetch` takes longer than
 * the usual case, a refused connection to this machine.
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

function modelErrorOf(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  throw error;
}
