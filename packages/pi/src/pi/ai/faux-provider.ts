/** pi's provider for tests and demos: it answers what was written down, in order, without a network. */
import type { ModelPrices } from "@bough/agent/model/index.js";
import type { AssistantBlock, AssistantMessage, ToolCallBlock } from "@bough/session/entry/index.js";
import { errorText } from "@bough/session/text/index.js";
import {
  type ApiProvider,
  type AskOptions,
  failedAnswer,
  registerApiProvider,
  unregisterApiProviders,
} from "./ask-model.js";
import { AssistantMessageEventStream } from "./event-stream.js";
import { calculateCost, type PiModel } from "./pi-model.js";
import { uuidv7 } from "./small-helpers.js";
import { AnswerTeller, withWholeUsage } from "./told-events.js";
import { type Context, normalizeContext, type TranscriptContext } from "./transcript.js";

type TextBlock = Extract<AssistantBlock, { type: "text" }>;
type ThinkingBlock = Extract<AssistantBlock, { type: "thinking" }>;

export function fauxText(text: string): TextBlock {
  return { type: "text", text };
}

export function fauxThinking(thinking: string): ThinkingBlock {
  return { type: "thinking", thinking };
}

export function fauxToolCall(
  name: string,
  input: ToolCallBlock["arguments"],
  { id = `tool-${uuidv7()}` }: { readonly id?: string } = {},
): ToolCallBlock {
  return { type: "toolCall", id, name, arguments: input };
}

/** An answer. `provider` and `model` are filled in when it is given. */
export function fauxAssistantMessage(
  content: string | AssistantBlock | readonly AssistantBlock[],
  { stopReason = "stop", timestamp = Date.now(), ...more }: Partial<AssistantMessage> = {},
): AssistantMessage {
  const blocks = typeof content === "string" ? [fauxText(content)] : "type" in content ? [content] : content;
  const name = { api: "faux", provider: "faux", model: "faux-1" };
  return withWholeUsage({
    ...name,
    ...more,
    role: "assistant",
    content: blocks,
    usage: NOTHING,
    stopReason,
    timestamp,
  });
}

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } as const;

export interface FauxState {
  callCount: number;
}

type Answering = (
  context: TranscriptContext,
  options: AskOptions | undefined,
  state: FauxState,
  model: PiModel,
) => AssistantMessage | Promise<AssistantMessage>;

/** An answer, or a function that makes it from the request. */
export type FauxResponse = AssistantMessage | Answering;

interface FauxModel extends Partial<Pick<PiModel, "name" | "reasoning" | "input" | "contextWindow" | "maxTokens">> {
  readonly id: string;
  readonly cost?: ModelPrices;
}

export interface FauxOptions {
  readonly api?: string;
  readonly provider?: string;
  readonly models?: readonly FauxModel[];
  /** Pieces come at this pace. Default: at once. */
  readonly tokensPerSecond?: number;
  /** How large pieces are, in tokens. */
  readonly tokenSize?: { readonly min?: number; readonly max?: number };
}

/** About what a token has in English. */
const LETTERS = 4;

/** What `fauxProvider` and `registerFauxProvider` are made of. */
export function createFauxCore(options: FauxOptions = {}) {
  const { provider = "faux", api = `faux-${uuidv7()}` } = options;
  const given = options.models?.length ? options.models : [{ id: "faux-1", name: "Faux Model" }];
  const models = given.map((model) => modelOf(model, { api, provider }));
  const state: FauxState = { callCount: 0 };
  let pending: FauxResponse[] = [];
  const stream: ApiProvider["streamSimple"] = (model, context, asked = {}) => {
    const told = new AssistantMessageEventStream();
    const response = pending.shift();
    state.callCount += 1;
    const answer = async () => {
      if (response === undefined) return failedAnswer(model, "No more faux responses queued");
      const request = normalizeContext(context as Context);
      const made = typeof response === "function" ? await response(request, asked, state, model) : response;
      return answerOf(made, { model, context: request });
    };
    answer()
      .catch((error: unknown) => failedAnswer(model, errorText(error)))
      .then((message) => tell(told, message, { model, options, asked }));
    return told;
  };
  return {
    api,
    provider,
    models,
    state,
    stream,
    streamSimple: stream,
    getModel: (id?: string) => (id === undefined ? models[0] : models.find((model) => model.id === id)),
    setResponses(responses: readonly FauxResponse[]): void {
      pending = [...responses];
    },
    appendResponses(responses: readonly FauxResponse[]): void {
      pending.push(...responses);
    },
    getPendingResponseCount: () => pending.length,
  };
}

/** `provider` is what `pi.registerProvider` takes. */
export function fauxProvider(options: FauxOptions = {}) {
  const { stream, streamSimple, provider: id, ...core } = createFauxCore(options);
  const { api, models } = core;
  const auth = { apiKey: { name: "Faux", resolve: async () => ({ auth: { apiKey: "faux" } }) } };
  return { ...core, provider: { id, name: id, api, auth, getModels: () => models, stream, streamSimple } };
}

/** The older form: its streams are found by the protocol of its models. */
export function registerFauxProvider(options: FauxOptions = {}) {
  const { stream, streamSimple, provider: _, ...core } = createFauxCore(options);
  const sourceId = `faux-${uuidv7()}`;
  registerApiProvider({ api: core.api, stream, streamSimple }, sourceId);
  return { ...core, unregister: () => unregisterApiProviders(sourceId) };
}

function modelOf({ id, ...facts }: FauxModel, { api, provider }: Pick<PiModel, "api" | "provider">): PiModel {
  return {
    ...{ id, name: facts.name ?? id, api, provider, baseUrl: "http://localhost:0" },
    reasoning: facts.reasoning ?? false,
    input: facts.input ?? ["text", "image"],
    cost: facts.cost ?? NOTHING,
    contextWindow: facts.contextWindow ?? 128_000,
    maxTokens: facts.maxTokens ?? 16_384,
  };
}

function answerOf(
  message: AssistantMessage,
  { model, context }: { readonly model: PiModel; readonly context: TranscriptContext },
): AssistantMessage {
  const usage = {
    ...NOTHING,
    input: tokensIn(JSON.stringify(context.messages)),
    output: tokensIn(JSON.stringify(message.content)),
  };
  const whole = withWholeUsage({ ...message, api: model.api, provider: model.provider, model: model.id, usage });
  calculateCost(model, whole.usage as Parameters<typeof calculateCost>[1]);
  return whole;
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / LETTERS);
}

interface Telling {
  readonly model: PiModel;
  readonly options: FauxOptions;
  readonly asked: AskOptions;
}

/** Tells an answer piece by piece. Never throws. */
async function tell(
  told: AssistantMessageEventStream,
  message: AssistantMessage,
  { model, options, asked: { signal } }: Telling,
): Promise<void> {
  const teller = new AnswerTeller(model, message.timestamp);
  const { tokensPerSecond = 0, tokenSize: { min = 3, max = Math.max(5, min) } = {} } = options;
  const letters = Math.max(1, Math.round((min + max) / 2)) * LETTERS;
  const push = (event: Parameters<typeof teller.tell>[0]) => {
    for (const piece of teller.tell(event)) told.push(piece);
  };
  const said: AssistantBlock[] = [];
  for (const block of message.content) {
    const text = block.type === "text" ? block.text : block.type === "thinking" ? block.thinking : argumentsOf(block);
    for (let at = 0; at < text.length; at += letters) {
      const delta = text.slice(at, at + letters);
      if (tokensPerSecond > 0) await pause((tokensIn(delta) * 1000) / tokensPerSecond, signal);
      else await Promise.resolve();
      if (signal?.aborted === true) {
        const stopped = {
          ...message,
          content: said,
          stopReason: "aborted",
          errorMessage: "Request was aborted",
        } as const;
        return push({ type: "end", message: stopped });
      }
      if (block.type === "toolCall") push({ type: "tool_input", id: block.id, name: block.name, delta });
      else if (block.type === "text" || block.type === "thinking") push({ type: block.type, delta });
    }
    if (block.type === "toolCall") push({ type: "tool_call", call: block });
    said.push(block);
  }
  push({ type: "end", message });
}

function argumentsOf(block: AssistantBlock): string {
  return block.type === "toolCall" ? JSON.stringify(block.arguments) : "";
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
