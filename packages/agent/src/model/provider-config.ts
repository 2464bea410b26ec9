/** Configuration of providers that are registered while the program runs. */
import type { AgentMessage } from "@bough/session/entry/index.js";
import type { ModelEvent, ModelInfo, ModelRequest, OfferedTool, StreamOptions } from "./language-model.js";
import type { OAuthCredentials, ProviderOAuth } from "./provider/oauth-config.js";

/** A model of a registered provider. */
export interface ProviderModelConfig {
  readonly id: string;
  readonly name?: string;
  readonly api?: string;
  readonly baseUrl?: string;
  readonly reasoning?: boolean;
  /** Only text by default. */
  readonly input?: readonly ("text" | "image")[];
  /** Dollars per million tokens. */
  readonly cost?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  readonly contextWindow?: number;
  readonly maxTokens?: number;
  /** For how many seconds the provider keeps a prompt in its cache; see the setting `cacheWarming`. */
  readonly promptCache?: { readonly short?: number };
  readonly headers?: Readonly<Record<string, string>>;
}

/** The input of a custom stream. */
export interface SimpleContext {
  readonly systemPrompt: string;
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly OfferedTool[];
}

export interface SimpleOptions {
  readonly signal?: AbortSignal;
  readonly apiKey?: string;
  readonly maxTokens?: number;
  readonly reasoning?: string;
  /** Call it with the body of each request, and send what it returns, if anything. */
  readonly onPayload?: (payload: unknown, model?: unknown) => unknown;
  /** Call it with each response before it is read. */
  readonly onResponse?: (
    response: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
    model?: unknown,
  ) => void | Promise<void>;
  /** Call it with each event of the provider, parsed and not interpreted yet. */
  readonly onProviderStreamEvent?: (data: unknown, model?: unknown) => void | Promise<void>;
}

/** An event of a custom stream, as in pi: `text_delta`, `toolcall_end`, `done`, `error` and the like. */
export interface SimpleStreamEvent {
  readonly type: string;
  readonly delta?: string;
  readonly toolCall?: unknown;
  /** For `done`. */
  readonly message?: unknown;
  /** For `error`. */
  readonly error?: unknown;
}

/** A list of models stored for the next start. */
export interface StoredModels {
  readonly models: readonly unknown[];
  readonly [field: string]: unknown;
}

/** The argument of `refreshModels`. */
export interface RefreshModelsContext {
  /** The provider's key, or its login, renewed if it had expired. */
  readonly credential?:
    | { readonly type: "api_key"; readonly key: string }
    | ({ readonly type: "oauth" } & OAuthCredentials);
  /** What `publish` stored, in this run or an earlier one. */
  readonly stored?: StoredModels;
  /** Stores a list for the next start; null removes it. */
  publish(publication: { readonly persist?: StoredModels | null; readonly update?: () => void }): Promise<boolean>;
  /** If false, use only what is stored. */
  readonly allowNetwork: boolean;
  /** Ask the provider even if the stored list is recent. */
  readonly force?: boolean;
  readonly signal: AbortSignal;
}

/**
 * A provider registered by an extension. With `models`, it has exactly these models; without, a known provider is
 * changed.
 */
export interface ProviderConfig {
  /** Display name. */
  readonly name?: string;
  readonly baseUrl?: string;
  /** The key, or `$NAME` or `${NAME}` for an environment variable, or `!command` for the output of a command. */
  readonly apiKey?: string;
  /** One of Bough's protocols, or any name if `streamSimple` or `stream` implements it. */
  readonly api?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the key as `Authorization: Bearer`. */
  readonly authHeader?: boolean;
  readonly models?: readonly ProviderModelConfig[];
  /** Returns the provider's current models, which replace `models`. Called at start, and when models are listed. */
  readonly refreshModels?: (context: RefreshModelsContext) => Promise<readonly ProviderModelConfig[]>;
  /** A login for `/login`. */
  readonly oauth?: ProviderOAuth;
  /** Streams a step itself, with events as in pi. */
  readonly streamSimple?: (
    model: ModelInfo,
    context: SimpleContext,
    options: SimpleOptions,
  ) => AsyncIterable<SimpleStreamEvent> | Promise<AsyncIterable<SimpleStreamEvent>>;
  /** Streams a step itself, with the events of a `LanguageModel`. */
  readonly stream?: (model: ModelInfo, request: ModelRequest, options: StreamOptions) => AsyncIterable<ModelEvent>;
}
