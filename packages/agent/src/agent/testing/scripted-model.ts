/** A language model that answers what a test wrote down, and keeps what it was asked. */
import type { AssistantBlock, AssistantMessage, StopReason, ToolCallBlock, Usage } from "@bough/session/entry/index.js";
import type {
  LanguageModel,
  ModelEvent,
  ModelFailure,
  ModelInfo,
  ModelRequest,
  StreamOptions,
} from "../../model/index.js";

/** A call of a tool in an answer. */
export interface ScriptedCall {
  /** Default `call-<step>-<n>`. */
  readonly id?: string;
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** An answer in parts, or one that fails or does not end. */
export interface ScriptedAnswer {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default `toolUse` with calls, otherwise `stop`. */
  readonly stopReason?: StopReason;
  readonly usage?: Usage;
  /** The step fails after what it said. */
  readonly failure?: Partial<ModelFailure>;
  /** The step continues after what it said until it is aborted. */
  readonly hang?: boolean;
}

/** A string is an answer of text alone; a function sees the request first. */
export type ScriptStep = string | ScriptedAnswer | ((request: ModelRequest) => string | ScriptedAnswer);

/** See `scriptedModel`. */
export interface ScriptedModel extends LanguageModel {
  /** The requests so far. */
  readonly requests: readonly ModelRequest[];
  /** Resolves when request number `count` (from 1) has said everything and ended or hangs. */
  reached(count: number): Promise<void>;
}

export const SCRIPTED_INFO: ModelInfo = {
  provider: "scripted",
  id: "script",
  name: "Scripted",
  api: "offline",
  contextWindow: 100_000,
  maxOutput: 8_000,
  reasoning: true,
  images: true,
  prices: undefined,
};

export const SCRIPTED_USAGE: Usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15 };

/**
 * Answers request after request with the steps, in order, without a network. A request beyond the last step fails and
 * says so. Texts arrive in two pieces, as from a real model. `info` changes the facts about the model, such as its name.
 */
export function scriptedModel(steps: readonly ScriptStep[], info: Partial<ModelInfo> = {}): ScriptedModel {
  const requests: ModelRequest[] = [];
  const reached: PromiseWithResolvers[] = [];
  const waiter = (index: number): PromiseWithResolvers => {
    reached[index] ??= withResolvers();
    return reached[index];
  };
  const model: LanguageModel = {
    info: { ...SCRIPTED_INFO, ...info },
    async *stream(request, options) {
      const number = requests.push(request) - 1;
      const step = steps[number];
      const said = typeof step === "function" ? step(request) : step;
      const answer: ScriptedAnswer =
        typeof said === "string"
          ? { text: said }
          : (said ?? { failure: { message: `The script has no step ${number + 1}` } });
      const play = { answer, number, info: model.info, options, said: () => waiter(number).resolve() };
      yield* played(play);
    },
  };
  return { ...model, requests, reached: (count) => waiter(count - 1).promise };
}

/** The text of the last message of every request. */
export function promptsOf(model: ScriptedModel): string[] {
  return model.requests.map(({ messages }) => {
    const content: unknown = (messages.at(-1) as { readonly content?: unknown } | undefined)?.content;
    return typeof content === "string" ? content : JSON.stringify(content);
  });
}

interface Play {
  readonly answer: ScriptedAnswer;
  readonly number: number;
  readonly info: ModelInfo;
  readonly options: StreamOptions;
  readonly said: () => void;
}

async function* played({ answer, number, info, options, said }: Play): AsyncGenerator<ModelEvent> {
  const { signal } = options;
  const content: AssistantBlock[] = [];
  const end = (stopReason: StopReason, failure?: ModelFailure): ModelEvent => {
    said();
    const message: AssistantMessage = {
      role: "assistant",
      content,
      api: info.api,
      provider: info.provider,
      model: info.id,
      usage: answer.usage ?? SCRIPTED_USAGE,
      stopReason,
      ...(failure === undefined ? {} : { errorMessage: failure.message }),
      timestamp: options.now(),
    };
    return { type: "end", message, failure };
  };
  if (answer.thinking !== undefined) {
    for (const delta of halves(answer.thinking)) yield { type: "thinking", delta };
    content.push({ type: "thinking", thinking: answer.thinking });
  }
  if (answer.text !== undefined) {
    for (const delta of halves(answer.text)) {
      if (signal?.aborted === true) return yield end("aborted");
      yield { type: "text", delta };
      const last = content.at(-1);
      if (last?.type === "text") content[content.length - 1] = { type: "text", text: last.text + delta };
      else content.push({ type: "text", text: delta });
    }
  }
  for (const [index, call] of (answer.calls ?? []).entries()) {
    if (signal?.aborted === true) return yield end("aborted");
    const block = toolCall(call, `call-${number + 1}-${index + 1}`);
    yield { type: "tool_input", id: block.id, name: block.name, delta: JSON.stringify(block.arguments) };
    yield { type: "tool_call", call: block };
    content.push(block);
  }
  if (answer.hang === true) {
    said();
    await aborted(signal);
  }
  if (signal?.aborted === true) return yield end("aborted");
  if (answer.failure !== undefined) {
    const failure = { kind: "unknown", message: "The script says so", retryable: false, ...answer.failure } as const;
    return yield end("error", failure);
  }
  yield end(answer.stopReason ?? (answer.calls === undefined ? "stop" : "toolUse"));
}

function toolCall(call: ScriptedCall, id: string): ToolCallBlock {
  return { type: "toolCall", id: call.id ?? id, name: call.name, arguments: call.arguments ?? {} };
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== "");
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) throw new Error("A step that hangs needs a signal");
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
