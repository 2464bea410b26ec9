/** What settings may say about providers and models, as types. `models-settings-schema.ts` has the schema they fit. */
import type { ModelApi } from "../language-model.js";

/** A model; what is left out stays as it is known, or gets a careful default. */
export interface ModelSettings {
  /** Model ID, as the server knows it. */
  id: string;
  /** Display name. */
  name?: string | undefined;
  /** In tokens. */
  contextWindow?: number | undefined;
  /** In tokens. */
  maxOutput?: number | undefined;
  /** Whether it supports thinking. */
  reasoning?: boolean | undefined;
  /** Whether it supports images. */
  images?: boolean | undefined;
  /** Dollars per million tokens; cached tokens cost as much as input by default. */
  prices?:
    | { input: number; output: number; cacheRead?: number | undefined; cacheWrite?: number | undefined }
    | undefined;
}

/** A provider: a known one that is changed, or one of your own. */
export interface ProviderSettings {
  /** Base URL of the server. */
  baseUrl?: string | undefined;
  api?: Exclude<ModelApi, "offline"> | undefined;
  /** Environment variable that holds the key. */
  apiKeyEnv?: string | undefined;
  /** Sent with every request; `$NAME` or `${NAME}` is a variable of the environment. */
  headers?: Record<string, string> | undefined;
  /** Whether the key may be sent without encryption to another machine. */
  allowHttp?: boolean | undefined;
  /** Models to add or override. */
  models?: ModelSettings[] | undefined;
}

/** The section `models` of the settings. */
export interface ModelsSettings {
  /** The model to start with, as provider/model. */
  default?: string | undefined;
  providers?: Record<string, ProviderSettings> | undefined;
}
