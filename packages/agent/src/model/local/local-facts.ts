/** Asks local model servers for the facts about a model, above all its actual context window. */
import { record } from "../failure/failure-facts.js";
import type { Environment } from "../network/environment.js";
import { type Ask, baseUrlOf, type LocalFacts, type LocalServer, listOf, tokensOf } from "./local-server.js";

interface FactsOptions {
  readonly ask: Ask;
  /** The environment of this process; Ollama often runs with the same one. */
  readonly env: Environment;
  /** Whether the model may be loaded to find out, because the next step loads it anyway. */
  readonly load: boolean;
}

/** The facts reported by the server; not certain if it does not answer. */
export function localFacts(server: LocalServer, id: string, options: FactsOptions): Promise<LocalFacts> {
  switch (server.kind) {
    case "ollama":
      return ollamaFacts(server, id, options);
    case "lmstudio":
      return lmstudioFacts(server, id, options);
    case "llamacpp":
      return llamacppFacts(server, options);
    default:
      return vllmFacts(server, id, options);
  }
}

/**
 * Ollama has three window sizes: that of the training, that requested by the model file or the user, and that with
 * which the model was loaded. Only the last one counts, and everything beyond it is silently dropped.
 */
async function ollamaFacts({ origin }: LocalServer, id: string, options: FactsOptions): Promise<LocalFacts> {
  const { ask, env, load } = options;
  const loaded = async () => {
    const running = listOf(await ask(`${origin}/api/ps`), "models").find(({ name, model }) =>
      [name, model].some((known) => known === id || known === `${id}:latest`),
    );
    return tokensOf(running?.context_length);
  };
  const details = record(await ask(`${origin}/api/show`, { method: "POST", body: JSON.stringify({ model: id }) }));
  const abilities = Array.isArray(details.capabilities) ? (details.capabilities as unknown[]) : [];
  const can = { reasoning: abilities.includes("thinking"), images: abilities.includes("vision") };
  let inUse = await loaded();
  if (inUse === undefined && load && details.model_info !== undefined) {
    await ask(`${origin}/api/generate`, { method: "POST", body: JSON.stringify({ model: id }) });
    inUse = await loaded();
  }
  if (inUse !== undefined) return { ...can, contextWindow: inUse, certain: true };
  const trained = tokensOf(
    Object.entries(record(details.model_info)).find(([key]) => key.endsWith(".context_length"))?.[1],
  );
  const asked = tokensOf(parameterOf(details.parameters), Number(env.OLLAMA_CONTEXT_LENGTH));
  const window = asked === undefined || trained === undefined ? (asked ?? trained) : Math.min(asked, trained);
  return { ...can, contextWindow: window, certain: false };
}

/** The value of a line such as `num_ctx                        8192`. */
function parameterOf(parameters: unknown): number | undefined {
  const [, value] = typeof parameters === "string" ? (/^num_ctx\s+(\d+)\s*$/m.exec(parameters) ?? []) : [];
  return value === undefined ? undefined : Number(value);
}

async function lmstudioFacts({ origin }: LocalServer, id: string, { ask }: FactsOptions): Promise<LocalFacts> {
  const found = listOf(await ask(`${origin}/api/v0/models`), "data").find((model) => model.id === id);
  const inUse = found?.state === "loaded" ? tokensOf(found.loaded_context_length) : undefined;
  return {
    images: found === undefined ? undefined : found.type === "vlm",
    contextWindow: inUse ?? tokensOf(found?.max_context_length),
    certain: inUse !== undefined,
  };
}

/** The server has one model, whose context is divided among slots; this is the share of one slot. */
async function llamacppFacts({ origin }: LocalServer, { ask }: FactsOptions): Promise<LocalFacts> {
  const props = record(await ask(`${origin}/props`));
  const contextWindow = tokensOf(record(props.default_generation_settings).n_ctx, props.n_ctx);
  const { vision } = record(props.modalities);
  return {
    images: typeof vision === "boolean" ? vision : undefined,
    contextWindow,
    certain: contextWindow !== undefined,
  };
}

async function vllmFacts(server: LocalServer, id: string, { ask }: FactsOptions): Promise<LocalFacts> {
  const found = listOf(await ask(`${baseUrlOf(server)}/models`), "data").find((model) => model.id === id);
  const { n_ctx, n_ctx_train } = record(found?.meta);
  const { max_model_len, context_length, context_window } = record(found);
  const contextWindow = tokensOf(max_model_len, n_ctx, n_ctx_train, context_length, context_window);
  return { contextWindow, certain: tokensOf(found?.max_model_len) !== undefined };
}
