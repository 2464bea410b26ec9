/** Converts providers and models that an extension of pi registers or selects. */
import type { ModelInfo, ProviderConfig, ProviderModelConfig, RefreshModelsContext } from "@bough/agent/model/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import type { ApiProvider, AskOptions } from "../ai/ask-model.js";
import { fromPiModel, nativeBaseUrl, type PiModel, toPiModel } from "../ai/pi-model.js";
import { type Context, normalizeContext } from "../ai/transcript.js";
import { nativeOAuth, nativeOAuthAuth, type PiAuth, type PiOAuth, resolvedAuth } from "./pi-login.js";

/** Converts a model to our form; anything else, such as a name, is returned unchanged. */
export function nativeModel(model: unknown): unknown {
  return isRecord(model) && "maxTokens" in model ? fromPiModel(model as unknown as PiModel) : model;
}

interface PiProvider extends ApiProvider {
  readonly id: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly headers?: ProviderConfig["headers"];
  readonly auth?: PiAuth;
  getModels(): readonly PiModel[];
  refreshModels?(context: RefreshModelsContext): Promise<void>;
}

interface PiProviderConfig extends Pick<ProviderConfig, "name" | "headers"> {
  readonly api?: string;
  readonly baseUrl?: string;
  readonly models?: readonly ProviderModelConfig[];
  readonly refreshModels?: ProviderConfig["refreshModels"];
  readonly streamSimple?: ApiProvider["streamSimple"];
  readonly oauth?: PiOAuth;
}

/** Takes the arguments of `registerProvider`: a name and a config, or a complete provider. */
export function nativeProvider(values: readonly unknown[]): { readonly name: string; readonly config: object } {
  const [first, second] = values;
  if (typeof first === "string") return { name: first, config: nativeConfig(first, second as PiProviderConfig) };
  const provider = first as PiProvider;
  const { id: name, baseUrl, headers, auth } = provider;
  const models = provider.getModels();
  const refreshModels = async (context: RefreshModelsContext) => {
    await provider.refreshModels?.(context);
    return provider.getModels();
  };
  const config = nativeConfig(name, {
    name: provider.name ?? name,
    models,
    streamSimple: authorized(provider),
    baseUrl,
    headers,
    refreshModels: provider.refreshModels && refreshModels,
  });
  return { name, config: { ...config, oauth: auth?.oauth && nativeOAuthAuth(auth.oauth) } };
}

/** Lets a complete provider find its own key if none was passed. */
function authorized(provider: PiProvider): ApiProvider["streamSimple"] {
  return (model, context, options = {}) => {
    const keys = provider.auth?.apiKey;
    if (keys === undefined || provider.auth?.oauth !== undefined) return provider.streamSimple(model, context, options);
    const started = async function* () {
      const { apiKey = options.apiKey, ...found } = await resolvedAuth(keys, options.apiKey);
      if (apiKey === undefined && found.headers === undefined) throw new Error(`No API key for ${provider.id}`);
      yield* provider.streamSimple(model, context, { ...options, ...defined({ ...found, apiKey }) });
    };
    return started();
  };
}

/** Passes a model and a request in pi's form to a provider's own stream. */
function nativeConfig(name: string, config: PiProviderConfig): object {
  const { streamSimple, oauth, ...given } = config;
  return {
    ...given,
    ...nativeAddresses(name, config),
    oauth: oauth && nativeOAuth(oauth),
    streamSimple:
      streamSimple &&
      ((info: ModelInfo, context: Context, options: AskOptions) =>
        streamSimple(toPiModel(info), normalizeContext(context), options)),
  };
}

/** Base addresses of a provider and its models in our form. */
function nativeAddresses(name: string, config: PiProviderConfig): Partial<PiProviderConfig> {
  const { baseUrl, models, refreshModels } = config;
  // A registration may change only the address of a known provider.
  const api = config.api ?? (name === "anthropic" ? "anthropic-messages" : undefined);
  const native = (model: ProviderModelConfig): ProviderModelConfig => {
    const url = model.baseUrl ?? baseUrl;
    return url === undefined ? model : { ...model, baseUrl: nativeBaseUrl(url, model.api ?? api) };
  };
  return {
    baseUrl: baseUrl && nativeBaseUrl(baseUrl, api),
    models: models?.map(native),
    refreshModels: refreshModels && (async (context) => (await refreshModels(context)).map(native)),
  };
}
