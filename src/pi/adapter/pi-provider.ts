/** Providers and models as an extension of pi registers and chooses them. */
import { isRecord } from "../../text/index.js";
import type { ApiProvider } from "../ai/ask-model.js";
import { fromPiModel, type PiModel } from "../ai/pi-model.js";

/** The model in our form; anything else, such as a name, as it is. */
export function nativeModel(model: unknown): unknown {
  return isRecord(model) && "maxTokens" in model ? fromPiModel(model as unknown as PiModel) : model;
}

/** `registerProvider(name, config)`, or with a whole provider alone. */
export function nativeProvider(values: readonly unknown[]): { readonly name: string; readonly config: object } {
  const [first, second] = values;
  if (typeof first === "string") return { name: first, config: second as object };
  const provider = first as ApiProvider & {
    readonly id: string;
    readonly name?: string;
    readonly baseUrl?: string;
    getModels(): readonly PiModel[];
  };
  const streamSimple: ApiProvider["streamSimple"] = (...request) => provider.streamSimple(...request);
  return {
    name: provider.id,
    config: {
      name: provider.name ?? provider.id,
      baseUrl: provider.baseUrl ?? "",
      models: provider.getModels(),
      streamSimple,
    },
  };
}
