/** Models that choose another model for each request: pi's `registerVirtualModel`. */
import {
  type LanguageModel,
  type ModelEvent,
  type ModelInfo,
  type ModelRegistry,
  type ModelRequest,
  type StreamOptions,
  UNKNOWN_LIMITS,
} from "@bough/agent/model/index.js";
import type { AgentMessage, AssistantMessage } from "@bough/session/entry/index.js";
import { defined, errorText, isRecord } from "@bough/session/text/index.js";
import { failedAnswer, levelOf } from "../ai/ask-model.js";
import { clampThinkingLevel, fromPiModel, type PiModel, toPiModel } from "../ai/pi-model.js";

/** The `customType` of the entry that keeps a router's state on its branch, as in pi. */
export const VIRTUAL_MODEL_STATE_ENTRY = "pi.virtual-model-state";
const VIRTUAL_API = "pi-virtual";

interface Route {
  readonly model: PiModel;
  readonly thinkingLevel: string;
  readonly state?: unknown;
}

interface Dispatched {
  readonly model: PiModel;
  readonly thinkingLevel: string | undefined;
}

interface RouteRequest {
  readonly model: PiModel;
  readonly thinkingLevel: string;
  readonly reason: "user" | "continuation" | "retry" | "direct";
  readonly previous: Dispatched | undefined;
  readonly failed: (Dispatched & { readonly message: AssistantMessage }) | undefined;
  readonly state: unknown;
  readonly messages: readonly object[];
  readonly signal: AbortSignal | undefined;
}

export interface PiVirtualModel {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly thinkingLevels?: readonly string[];
  readonly contextWindow?: number;
  readonly maxTokens?: number;
  readonly input?: readonly string[];
  route(request: RouteRequest, context: object): Route | Promise<Route>;
}

/** What routing needs of the running agent. */
export interface RoutingContext {
  readonly registry: Pick<ModelRegistry, "all" | "available" | "open">;
  /** The path, oldest first. */
  readonly path: readonly object[];
  /** The context in pi's form. */
  readonly context: object;
}

interface VirtualModelParts {
  /** Throws if there is no agent yet. */
  readonly current: () => RoutingContext;
  readonly appendEntry: (customType: string, data: unknown) => unknown;
}

/** Answers are those of the model that was chosen, and name it. Never throws: a route that fails is a failed answer. */
export function virtualModel(definition: PiVirtualModel, parts: VirtualModelParts): LanguageModel {
  const { provider, id, name, thinkingLevels = ["off"], contextWindow, maxTokens, input } = definition;
  const info: ModelInfo = {
    provider,
    id,
    name: name ?? id,
    api: VIRTUAL_API,
    contextWindow: contextWindow ?? UNKNOWN_LIMITS.contextWindow,
    maxOutput: maxTokens ?? UNKNOWN_LIMITS.maxOutput,
    reasoning: thinkingLevels.some((level) => level !== "off"),
    images: input?.includes("image") ?? true,
    prices: undefined,
    routes: true,
  };
  return {
    info,
    async *stream(request, options) {
      let routed: { readonly target: LanguageModel; readonly level: ModelRequest["thinkingLevel"] };
      try {
        routed = await route(definition, { ...parts, info, request, options });
      } catch (error) {
        yield failed(info, errorText(error), options);
        return;
      }
      const { target, level } = routed;
      for await (const event of target.stream({ ...request, thinkingLevel: level }, options)) {
        // Kept as in pi, so that a later route knows what answered.
        if (event.type === "end") yield { ...event, message: { ...event.message, ...{ thinkingLevel: level } } };
        else yield event;
      }
    },
  };
}

interface Routing extends VirtualModelParts {
  readonly info: ModelInfo;
  readonly request: ModelRequest;
  readonly options: StreamOptions;
}

async function route(definition: PiVirtualModel, { current, appendEntry, info, request, options }: Routing) {
  const { registry, path, context } = current();
  const { purpose, signal } = options;
  const state = purpose === undefined ? undefined : stateOn(path, info);
  const dispatched = (message: AssistantMessage): Dispatched | undefined => {
    const found = registry.all().find((one) => one.provider === message.provider && one.id === message.model);
    if (found === undefined || found.api === VIRTUAL_API) return undefined;
    const { thinkingLevel } = message as { readonly thinkingLevel?: string };
    return { model: toPiModel(found), thinkingLevel };
  };
  const answered = request.messages.findLast(isAnswer);
  const lost = purpose?.kind === "retry" ? purpose.failed : undefined;
  const lostBy = lost && dispatched(lost);
  const chosen = await definition.route(
    {
      model: toPiModel(info),
      thinkingLevel: request.thinkingLevel,
      reason: purpose === undefined ? "direct" : purpose.kind === "prompt" ? "user" : purpose.kind,
      previous: answered && dispatched(answered),
      failed: lost && lostBy && { ...lostBy, message: lost },
      state,
      messages: [{ role: "system", content: request.system }, ...request.messages],
      signal,
    },
    context,
  );
  if (!isRecord(chosen) || !isRecord(chosen.model)) throw new Error(`${info.name} chose no model`);
  const target = fromPiModel(chosen.model as unknown as PiModel);
  const called = `${target.provider}/${target.id}`;
  if (target.api === VIRTUAL_API) throw new Error(`${info.name} chose ${called}, which is a virtual model`);
  if (!registry.available().some(({ provider, id }) => provider === target.provider && id === target.id))
    throw new Error(`${info.name} chose ${called}, which has no key`);
  const next = chosen.state;
  if (purpose !== undefined && next !== undefined && next !== state) {
    appendEntry(VIRTUAL_MODEL_STATE_ENTRY, { provider: info.provider, modelId: info.id, state: next });
  }
  const level = clampThinkingLevel(toPiModel(target), String(chosen.thinkingLevel ?? "off"));
  return { target: registry.open(target), level: levelOf(level) };
}

function isAnswer(message: AgentMessage): message is AssistantMessage {
  return message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted";
}

/** What the router returned last on this branch. */
function stateOn(path: readonly object[], { provider, id }: ModelInfo): unknown {
  const entry = path.findLast((one) => {
    const { type, customType, data } = one as { type?: string; customType?: string; data?: unknown };
    if (type !== "custom" || customType !== VIRTUAL_MODEL_STATE_ENTRY) return false;
    return isRecord(data) && data.provider === provider && data.modelId === id;
  });
  return (entry as { readonly data?: { readonly state?: unknown } } | undefined)?.data?.state;
}

function failed(info: ModelInfo, text: string, { signal, now }: StreamOptions): ModelEvent {
  const { errorMessage, ...answer } = failedAnswer(toPiModel(info), text);
  const aborted = signal?.aborted === true;
  return {
    type: "end",
    message: {
      ...answer,
      stopReason: aborted ? "aborted" : "error",
      ...(aborted ? {} : { errorMessage }),
      timestamp: now(),
    },
    ...defined({ failure: aborted ? undefined : ({ kind: "unknown", message: text, retryable: false } as const) }),
  };
}
