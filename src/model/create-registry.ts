import { readAuthFile, saveKey } from "./auth-file.js";
import { catalogue } from "./catalogue/catalogue.js";
import { discoverServers, LOCAL_SERVERS, type LocalServer } from "./catalogue/discover-servers.js";
import { PREFERENCE } from "./catalogue/known-models.js";
import type { ModelsSettings } from "./catalogue/models-settings.js";
import type { LanguageModel, ModelInfo } from "./language-model.js";
import type { ModelRegistry } from "./model-registry.js";
import { OFFLINE_INFO } from "./offline/offline-model.js";
import { openModel } from "./open-model.js";
import { resolveModel } from "./resolve-model.js";

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
}

/** A registry that keeps its keys in a file of the user's. */
export interface UserModelRegistry extends ModelRegistry {
  /** Saves a key in `auth.json`, or takes it out; counts from the next step on. */
  saveKey(provider: string, key: string | undefined): void;
  /** What is wrong with `auth.json`, as sentences for a user. */
  problems(): readonly string[];
}

/** The models of this user: what we know, what settings add, what keys open, what runs on this machine. */
export function createModelRegistry(options: RegistryOptions): UserModelRegistry {
  const known = catalogue(options.overrides);
  const discovered = new Map<string, ModelInfo>();
  const fetch = options.fetch ?? globalThis.fetch;

  const models = (): ModelInfo[] => {
    const named = new Set(known.models.map((info) => `${info.provider}/${info.id}`));
    return [...known.models, ...[...discovered.values()].filter((info) => !named.has(`${info.provider}/${info.id}`))];
  };
  const keyFrom = (provider: string, saved: ReadonlyMap<string, string>): string | undefined => {
    for (const variable of known.providers.get(provider)?.keyVariables ?? []) {
      const value = options.env[variable]?.trim();
      if (value !== undefined && value !== "") return value;
    }
    return saved.get(provider);
  };
  const apiKey = (provider: string) => keyFrom(provider, readAuthFile(options.home).keys);
  const isReachable = (info: ModelInfo, saved: ReadonlyMap<string, string>): boolean => {
    const provider = known.providers.get(info.provider);
    return provider?.needsKey !== true || keyFrom(info.provider, saved) !== undefined;
  };
  const available = (): ModelInfo[] => {
    const { keys } = readAuthFile(options.home);
    return models().filter((info) => isReachable(info, keys));
  };
  const resolve = (reference: string) => resolveModel(reference, { models: models(), providers: known.providers });

  return {
    all: models,
    available,
    resolve,
    apiKey,
    open: (info: ModelInfo): LanguageModel => {
      const provider = known.providers.get(info.provider);
      return openModel({
        info,
        fetch,
        apiKey: () => apiKey(info.provider),
        ...(provider?.needsKey === true && { needsKey: { variables: provider.keyVariables } }),
      });
    },
    async discover({ signal, timeoutMs = PROBE_MS } = {}) {
      const servers = options.servers ?? LOCAL_SERVERS;
      const found = await discoverServers({
        ...{ servers, fetch, timeoutMs },
        // A `fetch` of the caller's own may reach what no socket of ours does.
        isListening: options.fetch === undefined ? isListening : async () => true,
        ...(signal && { signal }),
      });
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
    saveKey: (provider, key) => saveKey({ home: options.home, provider, key }),
    problems() {
      const { problem } = readAuthFile(options.home);
      return problem === undefined ? [] : [problem];
    },
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
