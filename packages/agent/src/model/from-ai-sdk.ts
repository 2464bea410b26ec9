/** Wraps a model of the AI SDK that a program created. */
import { defined } from "@bough/session/text/index.js";
import { APIS } from "./api/apis.js";
import { KNOWN_MODELS } from "./catalogue/known-models.js";
import { type LanguageModel, type ModelInfo, UNKNOWN_LIMITS } from "./language-model.js";
import type { ProviderApi } from "./provider-api.js";
import type { Finish, ProviderModel, StreamPart } from "./provider-types.js";
import { streamStep } from "./stream-step.js";

/** A model from the AI SDK's providers, with version 2 (`ai` 5) or version 3 (`ai` 6) of their interface. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<AiSdkStream>;
}

export interface AiSdkStream {
  readonly stream: ReadableStream<unknown>;
}

/** Assumed for a model that is not in the catalogue. */
const UNKNOWN_MODEL = { ...UNKNOWN_LIMITS, reasoning: false, images: true } as const;

export function isAiSdkModel(value: object): value is AiSdkModel {
  return "doStream" in value && "modelId" in value && "specificationVersion" in value;
}

/**
 * Steps use the model's own `doStream`. Facts such as window and prices come from the catalogue; `facts` overrides
 * them.
 */
export function fromAiSdk(model: AiSdkModel, facts: Partial<ModelInfo> = {}): LanguageModel {
  const [provider = model.provider] = model.provider.split(".");
  const known = KNOWN_MODELS.find((info) => info.provider === provider && info.id === model.modelId);
  const api = protocolOf(model.provider);
  const info: ModelInfo = {
    provider,
    id: model.modelId,
    name: model.modelId,
    prices: undefined,
    ...UNKNOWN_MODEL,
    ...known,
    api,
    ...defined(facts),
  };
  const opened: ProviderApi = {
    ...APIS[api],
    metadataName: provider,
    connect: async () => withVersion3Stream(model),
  };
  const connection = { info, apiKey: undefined, fetch: globalThis.fetch };
  return { info, stream: (request, options) => streamStep({ api: opened, connection, request }, options) };
}

function protocolOf(provider: string): keyof typeof APIS {
  if (/^anthropic\b/.test(provider)) return "anthropic-messages";
  if (/^google\b/.test(provider)) return "google-generative-ai";
  return /^(?:openai|azure)\b.*responses/.test(provider) ? "openai-responses" : "openai-completions";
}

/** Version 2 ends a stream with a plain reason and flat token counts: convert them to version 3. */
function withVersion3Stream(model: AiSdkModel): ProviderModel {
  const sdk = model as unknown as ProviderModel;
  if (model.specificationVersion !== "v2") return sdk;
  const doStream: ProviderModel["doStream"] = async (options) => {
    const answer = await sdk.doStream(options);
    const finish = new TransformStream<StreamPart, StreamPart>({
      transform: (part, controller) =>
        controller.enqueue(part.type === "finish" ? version3Finish(part as unknown as Version2Finish) : part),
    });
    return { ...answer, stream: answer.stream.pipeThrough(finish) };
  };
  return { specificationVersion: "v3", provider: model.provider, modelId: model.modelId, doStream } as ProviderModel;
}

interface Version2Finish {
  readonly finishReason: string;
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cachedInputTokens?: number;
    readonly reasoningTokens?: number;
  };
}

function version3Finish({ finishReason, usage = {}, ...rest }: Version2Finish): Finish {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  const unified = finishReason === "unknown" ? "other" : finishReason;
  return {
    ...rest,
    type: "finish",
    finishReason: { unified, raw: finishReason },
    usage: {
      inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedInputTokens, cacheWrite: undefined },
      outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
    },
  } as Finish;
}
