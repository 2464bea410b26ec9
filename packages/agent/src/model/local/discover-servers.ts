import type { ModelInfo } from "../language-model.js";
import type { Environment } from "../network/environment.js";
import { localFacts } from "./local-facts.js";
import { type Ask, baseUrlOf, type LocalFacts, type LocalServer, listOf } from "./local-server.js";

const CAREFUL = { contextWindow: 32_768, maxOutput: 8192 } as const;

const MOST_MODELS = 2_000;

interface DiscoverOptions {
  readonly servers: readonly LocalServer[];
  /** With the key of the provider, if it has one. */
  readonly fetchOf: (provider: string) => typeof globalThis.fetch;
  readonly env: Environment;
  /** Checked first: only servers that listen are asked for their models. */
  readonly isListening: (origin: string, signal: AbortSignal) => Promise<boolean>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * The models of all servers that respond now. All are asked in parallel, and no model is loaded.
 *
 * Never throws: there are no models on a port if nothing listens, something else does, or there is no answer in time.
 */
export async function discoverServers(options: DiscoverOptions): Promise<ModelInfo[]> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const found = await Promise.all(
    options.servers.map(async (server) => {
      const ask = askingOnce(asking(options.fetchOf(server.provider), signal));
      if (!(await options.isListening(server.origin, signal))) return [];
      const ids = await modelIds(server, ask);
      return Promise.all(
        ids.map(async (id) =>
          localModel(server, id, await localFacts(server, id, { ask, env: options.env, load: false })),
        ),
      );
    }),
  );
  return found.flat();
}

/** Requests JSON over HTTP. That no server or a different one answers is normal, not an error. */
export function asking(fetch: typeof globalThis.fetch, signal: AbortSignal | undefined): Ask {
  return async (url, init = {}) => {
    try {
      const response = await fetch(url, { ...init, ...(signal && { signal }), redirect: "error" });
      return response.ok ? await response.json() : undefined;
    } catch {
      return undefined;
    }
  };
}

/** The facts of each model are in the same list. */
function askingOnce(ask: Ask): Ask {
  const asked = new Map<string, Promise<unknown>>();
  return (url, init) => {
    if (init !== undefined) return ask(url, init);
    const answer = asked.get(url) ?? ask(url);
    asked.set(url, answer);
    return answer;
  };
}

async function modelIds(server: LocalServer, ask: Ask): Promise<string[]> {
  if (server.kind === "ollama") {
    return listOf(await ask(`${server.origin}/api/tags`), "models").flatMap(({ name }) =>
      typeof name === "string" ? [name] : [],
    );
  }
  const models = listOf(await ask(`${baseUrlOf(server)}/models`), "data").slice(0, MOST_MODELS);
  return models.flatMap(({ id }) => (typeof id !== "string" || id === "" || /embed/i.test(id) ? [] : [id]));
}

function localModel(server: LocalServer, id: string, facts: LocalFacts): ModelInfo {
  const base: ModelInfo = {
    provider: server.provider,
    id,
    name: id,
    api: "openai-completions",
    ...CAREFUL,
    reasoning: false,
    images: false,
    prices: undefined,
    baseUrl: baseUrlOf(server),
  };
  return withFacts(base, facts);
}

/** Adds the facts reported by the server to a model. */
export function withFacts(info: ModelInfo, { contextWindow, reasoning, images }: LocalFacts): ModelInfo {
  const window = contextWindow ?? info.contextWindow;
  return {
    ...info,
    contextWindow: window,
    maxOutput: Math.min(info.maxOutput, window),
    reasoning: reasoning ?? info.reasoning,
    images: images ?? info.images,
  };
}
