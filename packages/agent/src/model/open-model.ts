import { apiOf } from "./api/apis.js";
import { noKeyFailure } from "./failure/model-failure.js";
import type { LanguageModel, ModelFailure, ModelInfo } from "./language-model.js";
import { NO_USAGE } from "./message-usage.js";
import { ModelError } from "./model-error.js";
import { offlineModel } from "./offline/offline-model.js";
import { streamStep } from "./stream-step.js";

interface OpenModelOptions {
  readonly info: ModelInfo;
  /** Asked for at every step, so that a key saved a moment ago counts. */
  readonly apiKey?: () => string | undefined | Promise<string | undefined>;
  /** Whether steps without a key are refused before anything is sent; `variables` are named to the user. */
  readonly needsKey?: { readonly variables: readonly string[] };
  readonly fetch?: typeof globalThis.fetch;
  /** For providers whose account is more than a key. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A model ready to use. The provider's package is imported by the first step, not here. */
export function openModel(options: OpenModelOptions): LanguageModel {
  const { info, needsKey } = options;
  if (info.api === "offline") return offlineModel(info);
  const api = apiOf(info);
  return {
    info,
    async *stream(request, streamOptions) {
      const key = await attemptKey(options.apiKey);
      const apiKey = key instanceof ModelError ? undefined : key;
      if (key instanceof ModelError || (needsKey !== undefined && apiKey === undefined)) {
        const failure = key instanceof ModelError ? loginFailure(key) : noKeyFailure(info, needsKey?.variables ?? []);
        const message = {
          role: "assistant",
          content: [],
          api: info.api,
          provider: info.provider,
          model: info.id,
          usage: NO_USAGE,
          stopReason: "error",
          errorMessage: failure.message,
          timestamp: streamOptions.now(),
        } as const;
        yield { type: "end", message, failure };
        return;
      }
      const connection = { info, apiKey, fetch: options.fetch ?? globalThis.fetch, env: options.env ?? {} };
      yield* streamStep({ api, connection, request }, streamOptions);
    },
  };
}

/** A login that could not be renewed is an answer that says so. */
async function attemptKey(apiKey: OpenModelOptions["apiKey"]): Promise<string | undefined | ModelError> {
  try {
    return await apiKey?.();
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
}

function loginFailure({ message, hint }: ModelError): ModelFailure {
  return { kind: "no-key", reason: "no-key", message, ...(hint === undefined ? {} : { hint }), retryable: false };
}
