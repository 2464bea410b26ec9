/** Types for the settings of providers and models; the schema is in `models-settings-schema.ts`. */
import type { KnownModelApi } from "../language-model.js";

/** A model. Omitted fields keep their known value, or get a conservative default. */
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
  /** Earlier prices, for `bough usage`: `before` is the first day on which they no longer applied. */
  pricesBefore?:
    | {
        before: string;
        input: number;
        output: number;
        cacheRead?: number | undefined;
        cacheWrite?: number | undefined;
      }[]
    | undefined;
}

/** Changes to a known provider, or a new one. */
export interface ProviderSettings {
  /** Base URL of the server. */
  baseUrl?: string | undefined;
  api?: Exclude<KnownModelApi, "offline"> | undefined;
  /** Environment variable that holds the key. */
  apiKeyEnv?: string | undefined;
  /** `!` and a command that prints the key. */
  key?: string | undefined;
  /** Sent with every request; `$NAME` or `${NAME}` is replaced by an environment variable. */
  headers?: Record<string, string> | undefined;
  /** Whether the key may be sent without encryption to another machine. */
  allowHttp?: boolean | undefined;
  /** Models to add or override. */
  models?: ModelSettings[] | undefined;
}

/** The `models` section of the settings. */
export interface ModelsSettings {
  /** The default model, as provider/model. */
  default?: string | undefined;
  /** Whether to fetch new models and prices once a day, or the address to fetch them from. */
  refresh?: boolean | string | undefined;
  providers?: Record<string, ProviderSettings> | undefined;
}
