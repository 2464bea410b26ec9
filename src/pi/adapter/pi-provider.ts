/** Providers and models as an extension of pi registers and chooses them. */
import type { ModelInfo } from "../../model/index.js";
import { isRecord } from "../../text/index.js";
import type { ApiProvider, AskOptions } from "../ai/ask-model.js";
import { fromPiModel, type PiModel, toPiModel } from "../ai/pi-model.js";
import { type Context, normalizeContext } from "../ai/transcript.js";

/** The model in our form; anything else, such as a name, as it is. */
export function nativeModel(model: unknown): unknown {
  return isRecord(model) && "maxTokens" in model ? fromPiModel(model as unknown as PiModel) : model;
}

interface PiProvider extends ApiProvider {
  readonly id: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly headers?: object;
  getModels(): readonly PiModel[];
}

interface PiProviderConfig {
  readonly streamSimple?: ApiProvider["streamSimple"];
}

/** `registerProvider(name, config)`, or with a whole provider alone. */
export function nativeProvider(values: readonly unknown[]): { readonly name: string; readonly config: object } {
  const [first, second] = values;
  if (typeof first === "string") return { name: first, config: nativeConfig(second as PiProviderConfig) };
  const provider = first as PiProvider;
  const { id: name, baseUrl, headers } = provider;
  const models = provider.getModels();
  const streamSimple: ApiProvider["streamSimple"] = (...request) => provider.streamSimple(...request);
  return {
    name,
    config: nativeConfig({
      ...{ name: provider.name ?? name, models, streamSimple },
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(headers === undefined ? {} : { headers }),
    }),
  };
}

/** A stream of its own is given a model and a request of pi's. */
function nativeConfig(config: PiProviderConfig): object {
  const { streamSimple } = config;
  if (streamSimple === undefined) return config;
  return {
    ...config,
    streamSimple: (info: ModelInfo, context: Context, options: AskOptions) =>
      streamSimple(toPiModel(info), normalizeContext(context), options),
  };
}
