/** The models as pi's `ctx.modelRegistry`. */

import type { ModelRegistry } from "@bough/agent/model/index.js";
import type { AssistantMessage } from "@bough/session/entry/index.js";
import { errorText } from "@bough/session/text/index.js";
import { type AskOptions, ask, getApiProvider } from "../ai/ask-model.js";
import type { AssistantMessageEventStream } from "../ai/event-stream.js";
import { fromPiModel, type PiModel, toPiModel } from "../ai/pi-model.js";
import type { Context } from "../ai/transcript.js";

type NativeRegistry = Pick<
  ModelRegistry,
  "all" | "available" | "resolve" | "apiKey" | "open" | "freshKey" | "logins" | "refreshModels"
>;

interface Registering {
  registerProvider(...values: readonly unknown[]): void;
  unregisterProvider(name: string): void;
}

/** Keeps our own methods under their own names. */
export function piRegistry(native: NativeRegistry, api: Registering): object {
  const streamSimple = (model: PiModel, context: Context, options: AskOptions = {}): AssistantMessageEventStream =>
    ask({ model, context, options, opened: () => getApiProvider(model.api) ?? native.open(fromPiModel(model)) });
  const complete = (model: PiModel, context: Context, options?: AskOptions): Promise<AssistantMessage> =>
    streamSimple(model, context, options).result();
  const all = (): PiModel[] => native.all().map(toPiModel);
  const available = (): PiModel[] => native.available().map(toPiModel);
  const isAvailable = ({ provider, id }: PiModel): boolean =>
    native.available().some((info) => info.provider === provider && info.id === id);
  const keyOf = async (provider: string) => native.freshKey?.(provider) ?? native.apiKey(provider);
  const loginOf = (provider: string) => native.logins?.().find((login) => login.provider === provider);
  return {
    ...native,
    getAll: all,
    getAvailable: available,
    find: (provider: string, id: string) => all().find((model) => model.provider === provider && model.id === id),
    hasConfiguredAuth: isAvailable,
    getApiKeyAndHeaders: async (model: PiModel) => {
      try {
        const apiKey = await keyOf(model.provider);
        if (apiKey !== undefined) return { ok: true, apiKey, headers: {} };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
      if (isAvailable(model)) return { ok: true, headers: {} };
      return { ok: false, error: `No API key for ${model.provider}` };
    },
    getApiKey: ({ provider }: PiModel) => keyOf(provider),
    getApiKeyForProvider: keyOf,
    getProviderAuth: async (provider: string) => {
      const apiKey = await keyOf(provider);
      return apiKey === undefined ? undefined : { auth: { apiKey }, source: "Bough" };
    },
    getProviderAuthStatus: (provider: string) => ({
      configured: available().some((model) => model.provider === provider),
    }),
    getProvider: (id: string) => {
      const getModels = () => all().filter(({ provider }) => provider === id);
      const name = loginOf(id)?.name ?? id;
      return getModels().length === 0 ? undefined : { id, name, getModels, stream: streamSimple, streamSimple };
    },
    getProviderDisplayName: (provider: string) => loginOf(provider)?.name ?? provider,
    isUsingOAuth: ({ provider }: PiModel) => loginOf(provider)?.loggedIn === true,
    getError: () => undefined,
    refresh: async (options?: object) =>
      (await native.refreshModels?.(options)) ?? { aborted: false, errors: new Map() },
    registerProvider: (...values: readonly unknown[]) => api.registerProvider(...values),
    unregisterProvider: (name: string) => api.unregisterProvider(name),
    stream: streamSimple,
    streamSimple,
    complete,
    completeSimple: complete,
  };
}
