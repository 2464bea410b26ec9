import { record } from "../failure/failure-facts.js";
import type { ModelInfo } from "../language-model.js";

/** A place on this machine where a server may be listening. */
export interface LocalServer {
  readonly provider: string;
  /** Without a path. */
  readonly origin: string;
  readonly kind: "ollama" | "openai";
}

/** The ports these programs listen on unless told otherwise. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { provider: "ollama", origin: "http://127.0.0.1:11434", kind: "ollama" },
  { provider: "lmstudio", origin: "http://127.0.0.1:1234", kind: "openai" },
  { provider: "llamacpp", origin: "http://127.0.0.1:8080", kind: "openai" },
  { provider: "vllm", origin: "http://127.0.0.1:8000", kind: "openai" },
];

const CAREFUL = { contextWindow: 32_768, maxOutput: 8192 } as const;

interface DiscoverOptions {
  readonly servers: readonly LocalServer[];
  readonly fetch: typeof globalThis.fetch;
  /** Asked first: only those that listen are asked for their models. */
  readonly isListening: (origin: string, signal: AbortSignal) => Promise<boolean>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Models of servers that answer now. All are asked at once.
 *
 * Never throws: a port if no one listens, something else does, or no answer comes in time has no models.
 */
export async function discoverServers(options: DiscoverOptions): Promise<ModelInfo[]> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const ask = async (url: string, init: RequestInit = {}): Promise<unknown> => {
    try {
      const response = await options.fetch(url, { ...init, signal, redirect: "error" });
      return response.ok ? await response.json() : undefined;
    } catch {
      // No one there, or no one who speaks this: both are the usual case.
      return undefined;
    }
  };
  const found = await Promise.all(
    options.servers.map(async (server) => {
      if (!(await options.isListening(server.origin, signal))) return [];
      return server.kind === "ollama" ? ollamaModels(server, ask) : openaiModels(server, ask);
    }),
  );
  return found.flat();
}

type Ask = (url: string, init?: RequestInit) => Promise<unknown>;

async function ollamaModels(server: LocalServer, ask: Ask): Promise<ModelInfo[]> {
  const names = listOf(await ask(`${server.origin}/api/tags`), "models").flatMap(({ name }) =>
    typeof name === "string" ? [name] : [],
  );
  return Promise.all(
    names.map(async (id) => {
      const details = record(
        await ask(`${server.origin}/api/show`, { method: "POST", body: JSON.stringify({ model: id }) }),
      );
      const abilities = Array.isArray(details.capabilities) ? (details.capabilities as unknown[]) : [];
      const length = Object.entries(record(details.model_info)).find(([key]) => key.endsWith(".context_length"))?.[1];
      return localModel(server, id, {
        contextWindow: length,
        reasoning: abilities.includes("thinking"),
        images: abilities.includes("vision"),
      });
    }),
  );
}

async function openaiModels(server: LocalServer, ask: Ask): Promise<ModelInfo[]> {
  const models = listOf(await ask(`${server.origin}/v1/models`), "data");
  return models.flatMap(({ id, max_model_len, meta }) => {
    if (typeof id !== "string" || id === "" || /embed/i.test(id)) return [];
    return [localModel(server, id, { contextWindow: max_model_len ?? record(meta).n_ctx_train })];
  });
}

function localModel(
  server: LocalServer,
  id: string,
  facts: { readonly contextWindow: unknown; readonly reasoning?: boolean; readonly images?: boolean },
): ModelInfo {
  const { contextWindow } = facts;
  const known = typeof contextWindow === "number" && contextWindow > 0 ? contextWindow : CAREFUL.contextWindow;
  return {
    provider: server.provider,
    id,
    name: id,
    api: "openai-completions",
    contextWindow: known,
    maxOutput: Math.min(CAREFUL.maxOutput, known),
    reasoning: facts.reasoning ?? false,
    images: facts.images ?? false,
    prices: undefined,
    baseUrl: `${server.origin}/v1`,
  };
}

function listOf(answer: unknown, field: string): Record<string, unknown>[] {
  const list = record(answer)[field];
  return Array.isArray(list) ? (list as unknown[]).map(record) : [];
}
