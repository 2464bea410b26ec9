/** Providers that are added while the program runs. */
import type { AgentMessage } from "@bough/session/entry/index.js";
import type { ModelEvent, ModelInfo, ModelRequest, StreamOptions, ToolSpec } from "./language-model.js";
import type { OAuthCredentials, ProviderOAuth } from "./provider/oauth-config.js";

/** A model of an added provider. */
export interface ProviderModelConfig {
  readonly id: string;
  readonly name?: string;
  readonly api?: string;
  readonly baseUrl?: string;
  readonly reasoning?: boolean;
  /** Text alone by default. */
  readonly input?: readonly ("text" | "image")[];
  /** Dollars for a million tokens. */
  readonly cost?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly contextWindow?: number;
  readonly maxTokens?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a stream of one's own is given. */
export interface SimpleContext {
  readonly systemPrompt: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly ToolSpec[];
}

export interface SimpleOptions {
  readonly signal?: AbortSignal;
  readonly apiKey?: string;
  readonly maxTokens?: number;
  readonly reasoning?: string;
}

/** An event of a stream of one's own, as pi has them: `text_delta`, `toolcall_end`, `done`, `error` and the like. */
export interface SimpleStreamEvent {
  readonly type: string;
  readonly delta?: string;
  readonly toolCall?: object;
  /** Of `done`. */
  readonly message?: object;
  /** Of `error`. */
  readonly error?: object;
}

/** A list of models that is kept for the next start. */
export interface StoredModels {
  readonly models: readonly object[];
  readonly [field: string]: unknown;
}

/** What `refreshModels` is given. */
export interface RefreshModelsContext {
  /** The key of the provider, or its login, renewed if it had expired. */
  readonly credential?:
    | { readonly type: "api_key"; readonly key: string }
    | ({ readonly type: "oauth" } & OAuthCredentials);
  /** What `publish` kept, in this run or an earlier one. */
  readonly stored?: StoredModels;
  /** Keeps a list for the next start; null removes it. */
  publish(publication: { readonly persist?: StoredModels | null; readonly update?: () => void }): Promise<boolean>;
  /** False at start: only what is stored should be used. */
  readonly allowNetwork: boolean;
  /** Ask the provider even if the list is new. */
  readonly force?: boolean;
  readonly signal: AbortSignal;
}

/**
 * A provider as an extension registers it. With `models` it has these and no others; without, what is known of it is
 * changed.
 */
export interface ProviderConfig {
  /** For people. */
  readonly name?: string;
  readonly baseUrl?: string;
  /** The key, `$NAME` or `${NAME}` for one of the environment, or `!command` for what a command prints. */
  readonly apiKey?: string;
  /** One of the protocols Bough speaks, or any name where `streamSimple` or `stream` speaks it. */
  readonly api?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the key as `Authorization: Bearer`. */
  readonly authHeader?: boolean;
  readonly models?: readonly ProviderModelConfig[];
  /** The models the provider has now. They replace `models`. Called at start, and when models are listed. */
  readonly refreshModels?: (context: RefreshModelsContext) => Promise<readonly ProviderModelConfig[]>;
  /** A login for `/login`. */
  readonly oauth?: ProviderOAuth;
  /** Speaks to the provider itself, with events as pi has them. */
  readonly streamSimple?: (
    model: ModelInfo,
    context: SimpleContext,
    options: SimpleOptions,
  ) => AsyncIterable<SimpleStreamEvent> | Promise<AsyncIterable<SimpleStreamEvent>>;
  /** The same with the events of a `LanguageModel`. */
  readonly stream?: (model: ModelInfo, request: ModelRequest, options: StreamOptions) => AsyncIterable<ModelEvent>;
}
