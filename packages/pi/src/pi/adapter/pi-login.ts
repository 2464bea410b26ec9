/** Converts logins, keys and model lists of providers written for pi to ours. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { LoginCallbacks, ModelInfo, OAuthCredentials, ProviderOAuth } from "@bough/agent/model/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { fromPiModel, isOurApi, type PiModel, toPiModel } from "../ai/pi-model.js";

/** The `oauth` of a registration, which differs from ours only in its models. */
export interface PiOAuth extends Omit<ProviderOAuth, "modifyModels"> {
  readonly modifyModels?: (models: PiModel[], credentials: OAuthCredentials) => PiModel[];
}

export function nativeOAuth(oauth: PiOAuth): ProviderOAuth {
  const native: ProviderOAuth = {
    name: oauth.name,
    login: (callbacks) => oauth.login(callbacks),
    refreshToken: (credentials, signal) => oauth.refreshToken(credentials, signal),
    getApiKey: (credentials) => oauth.getApiKey(credentials),
  };
  if (oauth.modifyModels === undefined) return native;
  return {
    ...native,
    modifyModels: (models, credentials) =>
      (oauth.modifyModels?.(models.map(toPiModel), credentials) ?? []).map((model) => changedInfo(model, models)),
  };
}

/** A model after an extension changed it. Its protocol may be one that only its provider knows. */
function changedInfo(model: PiModel, models: readonly ModelInfo[]): ModelInfo {
  const before = models.find(({ id }) => id === model.id);
  const info = isOurApi(model.api)
    ? fromPiModel({ ...model })
    : { ...fromPiModel({ ...model, api: "openai-completions" }), api: model.api as ModelInfo["api"] };
  return { ...before, ...defined(info), prices: before?.prices ?? model.cost };
}

/** What a request needs; the `auth` of a complete provider resolves to it. */
interface PiRequestAuth {
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
}

/** The `auth.oauth` of a complete provider. */
interface PiOAuthAuth {
  readonly name: string;
  login(interaction: object): Promise<OAuthCredentials>;
  refresh(credentials: OAuthCredentials, signal: AbortSignal): Promise<OAuthCredentials>;
  toAuth(credentials: OAuthCredentials): Promise<PiRequestAuth>;
}

interface PiApiKeyAuth {
  resolve(input: object): Promise<{ readonly auth: PiRequestAuth; readonly env?: object } | undefined>;
}

export interface PiAuth {
  readonly apiKey?: PiApiKeyAuth;
  readonly oauth?: PiOAuthAuth;
}

/** The field that stores what was derived from credentials, because it is later needed synchronously. */
const DERIVED = "requestAuth";

export function nativeOAuthAuth(oauth: PiOAuthAuth): ProviderOAuth {
  const derived = async (credentials: OAuthCredentials): Promise<OAuthCredentials> => ({
    ...credentials,
    [DERIVED]: await oauth.toAuth(credentials),
  });
  const authOf = (credentials: OAuthCredentials): PiRequestAuth => (credentials[DERIVED] ?? {}) as PiRequestAuth;
  return {
    name: oauth.name,
    login: async (callbacks) => derived(await oauth.login(interaction(callbacks))),
    refreshToken: async (credentials, signal) => derived(await oauth.refresh(credentials, signal)),
    getApiKey: (credentials) => authOf(credentials).apiKey ?? credentials.access,
    modifyModels: (models, credentials) => {
      const { baseUrl } = authOf(credentials);
      return baseUrl === undefined ? models : models.map((info) => ({ ...info, baseUrl }));
    },
  };
}

interface Prompt {
  readonly type: string;
  readonly message: string;
  readonly placeholder?: string;
  readonly options?: readonly { readonly id: string; readonly label: string }[];
}

/** pi's two functions, one to ask and one to notify, on top of our callbacks. */
function interaction(callbacks: LoginCallbacks): object {
  const { signal = new AbortController().signal } = callbacks;
  return {
    signal,
    prompt: async ({ type, message, placeholder, options = [] }: Prompt): Promise<string> => {
      if (type === "manual_code" && callbacks.onManualCodeInput !== undefined) return callbacks.onManualCodeInput();
      if (type !== "select") return callbacks.onPrompt({ message, placeholder });
      const chosen = await callbacks.onSelect({ message, options });
      if (chosen === undefined) throw new Error("Login cancelled");
      return chosen;
    },
    notify: (event: Readonly<Record<string, unknown>> & { readonly type: string }): void => {
      if (event.type === "auth_url") callbacks.onAuth(event as never);
      else if (event.type === "device_code") callbacks.onDeviceCode(event as never);
      else if (typeof event.message === "string") callbacks.onProgress?.(event.message);
    },
  };
}

/** The key that a complete provider finds itself: a saved one, or one in the environment. */
export async function resolvedAuth(auth: PiApiKeyAuth, saved: string | undefined): Promise<PiRequestAuth> {
  const found = await auth.resolve({
    ctx: {
      env: async (name: string) => process.env[name],
      fileExists: async (path: string) => existsSync(path.startsWith("~") ? join(homedir(), path.slice(1)) : path),
    },
    credential: saved === undefined ? undefined : { type: "api_key", key: saved },
    signal: new AbortController().signal,
  });
  return isRecord(found?.auth) ? found.auth : {};
}
