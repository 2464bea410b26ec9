/**
 * The interface to a language model of any vendor: one step at a time, streamed; failures are events, never exceptions.
 */
import type { AgentMessage, AssistantMessage, ToolCallBlock } from "@bough/session/entry/index.js";

/** How much a model thinks before it answers, least first. */
export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high"] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** The protocols that Bough speaks. */
export type KnownModelApi =
  | "anthropic-messages"
  | "openai-responses"
  | "openai-completions"
  | "google-generative-ai"
  | "amazon-bedrock"
  | "google-vertex"
  | "azure-openai"
  | "offline";

/** The protocol of a provider: one that Bough speaks, or a name of your own for a model that brings its own stream. */
export type ModelApi = KnownModelApi | (string & { readonly is?: "api" });

/** Dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The prices if the prompt has more than this many `tokens`. */
  readonly above?: Omit<ModelPrices, "above"> & { readonly tokens: number };
}

export interface ModelInfo {
  readonly provider: string;
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly api: ModelApi;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly reasoning: boolean;
  readonly images: boolean;
  /** Undefined means unknown, not free: an unknown cost is never recorded. */
  readonly prices: ModelPrices | undefined;
  /** The list that its prices were fetched from, such as `models.dev`. Undefined if they are built in or the user's. */
  readonly pricesFrom?: string;
  readonly baseUrl?: string;
  /** For how long the provider keeps a prompt in its cache after it was last used, if that is known. */
  readonly cacheSeconds?: number;
  /**
   * It chooses another model for each request, and answers name that one. So a session that selected it continues with
   * it, whatever answered last.
   */
  readonly routes?: boolean;
}

/** Conservative limits, in tokens, for a model of which nothing else is known. */
export const UNKNOWN_LIMITS = { contextWindow: 128_000, maxOutput: 8192 } as const;

/** The tool with which the model gives its final answer in a run with structured output. */
export const OUTPUT_TOOL = "final_answer";

/** A tool as described to the model. `parameters` is a JSON Schema. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system: string;
  /** A built context: repaired, in order. The adapter removes data that belongs to other providers. */
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly OfferedTool[];
  readonly thinkingLevel: ThinkingLevel;
  readonly maxOutput?: number;
  /** Offer the provider's own web search, which runs on its side. See `searchesWeb` of the model. */
  readonly search?: boolean;
}

/** A page that a model's answer is based on. */
export interface AnswerSource {
  readonly url: string;
  readonly title: string;
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** The current time in milliseconds, for the timestamps of messages. */
  readonly now: () => number;
  /** How long the server may be silent before the step fails; 0 or omitted means no limit. */
  readonly idleTimeoutMs?: number;
  /** Called with the body of each request; returns the body to send. */
  readonly onPayload?: (payload: unknown) => unknown;
  /** May change the headers of each request in place; `null` removes one. */
  readonly onHeaders?: (headers: Record<string, string | null>) => void | Promise<void>;
  /** Called with each response before it is read. */
  readonly onResponse?: (response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  }) => void | Promise<void>;
  /**
   * Called with each event of the provider's stream, parsed and not yet interpreted, in order and awaited; and with the
   * model that sent it. Do not change it.
   */
  readonly onStreamEvent?: (data: unknown, model: ModelInfo) => void | Promise<void>;
  /** Why a run makes this step. Absent for other requests, such as summaries. */
  readonly purpose?: StepPurpose;
}

/** Why a run makes a step: the user sent something, the run continues, or an attempt failed. */
export type StepPurpose =
  | { readonly kind: "prompt" | "continuation" }
  | { readonly kind: "retry"; readonly failed: AssistantMessage };

/** A failed step, classified by what can be done about it. */
export interface ModelFailure {
  readonly kind:
    | "no-key"
    | "auth"
    | "rate-limit"
    | "overloaded"
    | "server"
    | "network"
    | "context-overflow"
    | "bad-request"
    /** The model did not answer in the form that was asked for, in several tries. */
    | "no-output"
    | "unknown";
  /** Why an account does not work, if that is the cause; `hint` says what to do. */
  readonly reason?:
    | "no-key"
    | "wrong-key"
    | "no-rights"
    | "no-credit"
    | "rate-limit"
    | "unknown-model"
    | "dns"
    | "refused"
    | "tls"
    | "proxy"
    | "timeout"
    | "redirect"
    /** The key would have been sent unencrypted. */
    | "clear-text"
    /** Something answers at the address, but it is not the API. */
    | "wrong-address"
    | "missing-package";
  /** A sentence. Never contains a key. */
  readonly message: string;
  /** A sentence on what to do next. */
  readonly hint?: string;
  readonly retryable: boolean;
  /** The delay that the provider asked for. */
  readonly retryAfterMs?: number;
  readonly status?: number;
}

export type ModelEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** Input of a tool call as it arrives, as JSON text. */
  | { readonly type: "tool_input"; readonly id: string; readonly name: string; readonly delta: string }
  /** A complete tool call. */
  | { readonly type: "tool_call"; readonly call: ToolCallBlock }
  /** Always last, exactly once. After an abort or failure, the message has what arrived, and the stop reason. */
  | {
      readonly type: "end";
      readonly message: AssistantMessage;
      readonly failure?: ModelFailure;
      /** What a web search was based on, each page once. */
      readonly sources?: readonly AnswerSource[];
    };

export interface LanguageModel {
  readonly info: ModelInfo;
  /** Whether its provider searches the web for requests with `search`. */
  readonly searchesWeb?: boolean;
  /** One model step. Does not throw and does not run tools; failures and aborts are in the last event. */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelEvent>;
  /**
   * Before a run, asks the server for facts that only it knows and updates `info`. Returns a notice for the user, once.
   * Never throws; absent if there is nothing to ask.
   */
  prepare?(options?: { readonly signal?: AbortSignal }): Promise<ModelNotice | undefined>;
}

/** Something the user should know about a model before using it. */
export interface ModelNotice {
  readonly message: string;
  readonly hint: string;
}
