/** The models as `ctx.modelRegistry` of pi gives them. */
import type { AssistantMessage } from "../../entry/index.js";
import type { ModelRegistry } from "../../model/index.js";
import { type AskOptions, ask, getApiProvider } from "../ai/ask-model.js";
import type { AssistantMessageEventStream } from "../ai/event-stream.js";
import { fromPiModel, type PiModel, toPiModel } from "../ai/pi-model.js";
import type { Context } from "../ai/transcript.js";

type NativeRegistry = Pick<ModelRegistry, "all" | "available" | "resolve" | "apiKey" | "open">;

interface Registering {
  registerProvider(...values: readonly unknown[]): void;
  unregisterProvider(name: string): void;
}

/** Ours stays there under its own names. */
export function piRegistry(native: NativeRegistry, api: Registering): object {
  const streamSimple = (model: PiModel, context: Context, options: AskOptions = {}): AssistantMessageEventStream =>
    ask({ model, context, options, opened: () => getApiProvider(model.api) ?? native.open(fromPiModel(model)) });
  const complete = (model: PiModel, context: Context, options?: AskOptions): Promise<AssistantMessage> =>
    streamSimple(model, context, options).result();
  const all = (): PiModel[] => native.all().map(toPiModel);
  const available = (): PiModel[] => native.available().map(toPiModel);
  const isAvailable = ({ provider, id }: PiModel): boolean =>
    native.available().some((info) => info.provider === provider && info.id === id);
  return {
    ...native,
    getAll: all,
    getAvailable: available,
    find: (provider: string, id: string) => all().find((model) => model.provider === provider && model.id === id),
    hasConfiguredAuth: isAvailable,
    getApiKeyAndHeaders: async (model: PiModel) => {
      const apiKey = native.apiKey(model.provider);
      if (apiKey !== undefined) return { ok: true, apiKey, headers: {} };
      if (isAvailable(model)) return { ok: true, headers: {} };
      return { ok: false, error: `There is no key for ${model.provider}` };
    },
    getApiKey: async ({ provider }: PiModel) => native.apiKey(provider),
    getApiKeyForProvider: async (provider: string) => native.apiKey(provider),
    getProviderAuth: async (provider: string) => {
      const apiKey = native.apiKey(provider);
      return apiKey === undefined ? undefined : { auth: { apiKey }, source: "Bough" };
    },
    getProviderAuthStatus: (provider: string) => ({
      configured: available().some((model) => model.provider === provider),
    }),
    getProviderDisplayName: (provider: string) => provider,
    isUsingOAuth: () => false,
    getError: () => undefined,
    refresh: async () => ({ aborted: false, errors: new Map() }),
    registerProvider: (...values: readonly unknown[]) => api.registerProvider(...values),
    unregisterProvider: (name: string) => api.unregisterProvider(name),
    stream: streamSimple,
    streamSimple,
    complete,
    completeSimple: complete,
  };
}
