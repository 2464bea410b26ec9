/** What the agent asks of a language model, no matter who makes it: one step at a time, streamed, never thrown. */
import type { AgentMessage, AssistantMessage, ToolCallBlock } from "@bough/session/entry/index.js";

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high"] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** How a provider is spoken to. */
export type ModelApi =
  | "anthropic-messages"
  | "openai-responses"
  | "openai-completions"
  | "google-generative-ai"
  | "amazon-bedrock"
  | "google-vertex"
  | "azure-openai"
  | "offline";

/** Dollars for a million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** What everything costs if the prompt has more than this many `tokens`. */
  readonly above?: Omit<ModelPrices, "above"> & { readonly tokens: number };
}

export interface ModelInfo {
  readonly provider: string;
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly api: ModelApi;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly reasoning: boolean;
  readonly images: boolean;
  /** Undefined means unknown, never free: a cost that is not known is not written. */
  readonly prices: ModelPrices | undefined;
  readonly baseUrl?: string;
}

/** Careful limits, in tokens, of a model of which nothing else is known. */
export const UNKNOWN_LIMITS = { contextWindow: 128_000, maxOutput: 8192 } as const;

/** The tool that a run has where its answer must have a form: the model calls it when everything else is done. */
export const OUTPUT_TOOL = "final_answer";

/** A tool as the model is told of it. `parameters` is a JSON Schema. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system: string;
  /** A built context: repaired, in order. The adapter takes out what belongs to other providers. */
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly ToolSpec[];
  readonly thinkingLevel: ThinkingLevel;
  readonly maxOutput?: number;
}

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; gives messages their time. */
  readonly now: () => number;
  /** How long the server may send nothing before the step fails; 0 and nothing for no limit. */
  readonly idleTimeoutMs?: number;
  /** Is given the body of each request, and answers the one to send. */
  readonly onPayload?: (payload: unknown) => unknown;
  /** May change the headers of each request in place; `null` removes one. */
  readonly onHeaders?: (headers: Record<string, string | null>) => void | Promise<void>;
  /** Is told of each response before it is read. */
  readonly onResponse?: (response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  }) => void | Promise<void>;
}

/** What went wrong, sorted by what can be done about it. */
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
    | "unknown";
  /** Why an account does not work, if it is that: each has its own remedy, which `hint` says. */
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
    /** Something answers there, but not an API. */
    | "wrong-address"
    | "missing-package";
  /** A sentence. Never holds a key. */
  readonly message: string;
  /** What to do next, as a sentence. */
  readonly hint?: string;
  readonly retryable: boolean;
  /** What the provider asked for. */
  readonly retryAfterMs?: number;
  readonly status?: number;
}

export type ModelEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** Input of a tool call as it arrives, as JSON text. */
  | { readonly type: "tool_input"; readonly id: string; readonly name: string; readonly delta: string }
  /** A whole tool call. */
  | { readonly type: "tool_call"; readonly call: ToolCallBlock }
  /** Always last, exactly once. An aborted or failed step carries what had arrived, with its stop reason. */
  | { readonly type: "end"; readonly message: AssistantMessage; readonly failure?: ModelFailure };

export interface LanguageModel {
  readonly info: ModelInfo;
  /** One model step. Does not throw and does not run tools; failures and aborts are in the last event. */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelEvent>;
  /**
   * Asks the server what only it knows, before a run: `info` has it afterwards. Answers what a user should be told, once.
   * Never throws; absent if there is nothing to ask.
   */
  prepare?(options?: { readonly signal?: AbortSignal }): Promise<ModelNotice | undefined>;
}

/** What a user should know about a model before it is used. */
export interface ModelNotice {
  readonly message: string;
  readonly hint: string;
}
