/** Direct requests to models, as streams or complete answers, using the models and keys of the running agent. */

import {
  type LanguageModel,
  type ModelRegistry,
  type ModelRequest,
  openModel,
  THINKING_LEVELS,
  type ThinkingLevel,
} from "@bough/agent/model/index.js";
import type { AgentMessage, AssistantMessage } from "@bough/session/entry/index.js";
import { defined, errorText } from "@bough/session/text/index.js";
import { type AssistantMessageEvent, AssistantMessageEventStream } from "./event-stream.js";
import { fromPiModel, type PiModel } from "./pi-model.js";
import { AnswerTeller, withWholeUsage } from "./told-events.js";
import {
  type Context,
  getCurrentSystemPrompt,
  getCurrentTools,
  normalizeContext,
  plainSchema,
  type TranscriptContext,
} from "./transcript.js";

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly apiKey?: string;
  readonly maxTokens?: number;
  /** A thinking level. `stream` of pi also takes provider-specific names, which are ignored. */
  readonly reasoning?: string;
}

/** A protocol that an extension implements. */
export interface ApiProvider {
  readonly api: string;
  stream(model: PiModel, context: TranscriptContext, options?: AskOptions): AsyncIterable<AssistantMessageEvent>;
  streamSimple(model: PiModel, context: TranscriptContext, options?: AskOptions): AsyncIterable<AssistantMessageEvent>;
}

type Registry = Pick<ModelRegistry, "all" | "open" | "apiKey" | "freshKey">;

/** The registry of the agent that loaded extensions last, because pi's functions do not name one. */
let current: Registry | undefined;
const apiProviders = new Map<string, ApiProvider & { readonly sourceId?: string }>();

export function useRegistry(registry: Registry): void {
  current = registry;
}

export function knownModels(): ReturnType<Registry["all"]> {
  return current?.all() ?? [];
}

export function registerApiProvider(provider: ApiProvider, sourceId?: string): void {
  apiProviders.set(provider.api, { ...provider, ...defined({ sourceId }) });
}

export function getApiProvider(api: string): ApiProvider | undefined {
  return apiProviders.get(api);
}

export function getApiProviders(): readonly ApiProvider[] {
  return [...apiProviders.values()];
}

export function unregisterApiProviders(sourceId: string): void {
  for (const [api, provider] of apiProviders) if (provider.sourceId === sourceId) apiProviders.delete(api);
}

export function resetApiProviders(): void {
  apiProviders.clear();
}

export function streamSimple(model: PiModel, context: Context, options: AskOptions = {}): AssistantMessageEventStream {
  return ask({ model, context, options, opened: () => modelFor(model, options.apiKey) });
}

export const stream: typeof streamSimple = (model, context, options) => streamSimple(model, context, options);

export function completeSimple(model: PiModel, context: Context, options: AskOptions = {}): Promise<AssistantMessage> {
  return streamSimple(model, context, options).result();
}

export const complete: typeof completeSimple = (model, context, options) => completeSimple(model, context, options);

/**
 * The streams of one of our own protocols, for providers that differ only in address and key. Never resolves to a
 * stream that an extension registered, because that may be the caller.
 */
export function ownApi(api: string): ApiProvider {
  const asked = (model: PiModel, context: TranscriptContext, options: AskOptions = {}) => {
    const { provider } = model;
    const apiKey = () => options.apiKey ?? current?.freshKey?.(provider) ?? current?.apiKey(provider);
    return ask({ model, context, options, opened: () => openModel({ info: fromPiModel({ ...model, api }), apiKey }) });
  };
  return { api, stream: asked, streamSimple: asked };
}

interface Asking {
  readonly model: PiModel;
  readonly context: Context;
  readonly options: AskOptions;
  readonly opened: () => LanguageModel | ApiProvider;
}

/** Never throws: a failure is the last event. */
export function ask({ model, context, options, opened }: Asking): AssistantMessageEventStream {
  const told = new AssistantMessageEventStream();
  const run = async (): Promise<void> => {
    const found = opened();
    if ("streamSimple" in found) {
      for await (const event of found.streamSimple(model, normalizeContext(context), options)) told.push(event);
      return;
    }
    const teller = new AnswerTeller(found.info, Date.now());
    for await (const event of found.stream(requestOf(context, options), streamOptions(options))) {
      for (const piece of teller.tell(event)) told.push(piece);
    }
  };
  run().then(
    () => told.end(),
    (error: unknown) => told.push({ type: "error", reason: "error", error: failedAnswer(model, errorText(error)) }),
  );
  return told;
}

function modelFor(model: PiModel, apiKey: string | undefined): LanguageModel | ApiProvider {
  const provider = apiProviders.get(model.api);
  if (provider !== undefined) return provider;
  const info = fromPiModel(model);
  if (apiKey !== undefined) return openModel({ info, apiKey: () => apiKey });
  return current?.open(info) ?? openModel({ info });
}

/** Converts a request of pi's to ours. */
export function requestOf(context: Context, { reasoning, maxTokens }: AskOptions): ModelRequest {
  const { messages } = normalizeContext(context);
  return {
    system: getCurrentSystemPrompt(messages),
    messages: messages.filter(({ role }) => role !== "system") as AgentMessage[],
    tools: getCurrentTools(messages).map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: plainSchema(parameters),
    })),
    thinkingLevel: levelOf(reasoning),
    maxOutput: maxTokens,
  };
}

/** pi's levels above ours count as `high`. */
export function levelOf(reasoning: string | undefined): ThinkingLevel {
  if (reasoning === "xhigh" || reasoning === "max") return "high";
  return THINKING_LEVELS.find((level) => level === reasoning) ?? "off";
}

function streamOptions({ signal }: AskOptions): Parameters<LanguageModel["stream"]>[1] {
  return { now: () => Date.now(), signal };
}

export function failedAnswer(model: PiModel, errorMessage: string): AssistantMessage {
  return withWholeUsage({
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    stopReason: "error",
    errorMessage,
    timestamp: Date.now(),
  });
}
