import type { AssistantMessage } from "@bough/session/entry/index.js";
import { unlessAborted } from "@bough/session/text/index.js";
import { apiOf } from "./api/apis.js";
import { keyFailure, noKeyFailure } from "./failure/model-failure.js";
import type { LanguageModel, ModelInfo } from "./language-model.js";
import { NO_USAGE } from "./message-usage.js";
import { ModelError } from "./model-error.js";
import { offlineModel } from "./offline/offline-model.js";
import { streamStep } from "./stream-step.js";

interface OpenModelOptions {
  readonly info: ModelInfo;
  /** Called for every step, so that a newly saved key is used. */
  readonly apiKey?: () => string | undefined | Promise<string | undefined>;
  /** If set, a step without a key fails before anything is sent; the error names the `variables`. */
  readonly needsKey?: { readonly variables: readonly string[] };
  readonly fetch?: typeof globalThis.fetch;
  /** For providers that need more than a key. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Opens a model. The provider's package is imported by the first step, not here. */
export function openModel(options: OpenModelOptions): LanguageModel {
  const { info, needsKey } = options;
  if (info.api === "offline") return offlineModel(info);
  const api = apiOf(info);
  return {
    info,
    ...(api.webSearch === undefined ? {} : { searchesWeb: true }),
    async *stream(request, streamOptions) {
      const { now, signal = new AbortController().signal } = streamOptions;
      // A command that prints the key may take long, and a renewed login too.
      const key = await unlessAborted(attemptKey(options.apiKey), signal).catch((error: unknown): typeof STOPPED => {
        if (signal.aborted) return STOPPED;
        throw error;
      });
      if (key === STOPPED) {
        yield { type: "end", message: endMessage({ info, now: now() }, { stopReason: "aborted" }) };
        return;
      }
      const apiKey = key instanceof ModelError ? undefined : key;
      if (key instanceof ModelError || (needsKey !== undefined && apiKey === undefined)) {
        const failure = key instanceof ModelError ? keyFailure(key) : noKeyFailure(info, needsKey?.variables ?? []);
        const message = endMessage({ info, now: now() }, { stopReason: "error", errorMessage: failure.message });
        yield { type: "end", message, failure };
        return;
      }
      const connection = { info, apiKey, fetch: options.fetch ?? globalThis.fetch, env: options.env ?? {} };
      yield* streamStep({ api, connection, request }, streamOptions);
    },
  };
}

const STOPPED: unique symbol = Symbol("stopped");

/** An answer of a step that sent nothing. */
function endMessage(
  { info: { api, provider, id }, now }: { readonly info: ModelInfo; readonly now: number },
  end: Pick<AssistantMessage, "stopReason"> & Partial<Pick<AssistantMessage, "errorMessage">>,
): AssistantMessage {
  return { role: "assistant", content: [], api, provider, model: id, usage: NO_USAGE, ...end, timestamp: now };
}

/** Returns the error if there is no key, such as a login that could not be renewed, so that it becomes a failed step. */
async function attemptKey(apiKey: OpenModelOptions["apiKey"]): Promise<string | undefined | ModelError> {
  try {
    return await apiKey?.();
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
}
