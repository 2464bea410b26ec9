/** The available models and how to reach them. */
import type { LanguageModel, ModelInfo } from "./language-model.js";
import type { LoginCallbacks, ProviderLogin } from "./provider/oauth-config.js";
import type { RefreshModelsOptions, RefreshModelsResult } from "./provider/refresh-models.js";
import type { ProviderConfig } from "./provider-config.js";

export interface ModelRegistry {
  /** All known models, reachable or not; always includes `offline/rules`. */
  all(): readonly ModelInfo[];
  /** Models that have a key or need none. Includes local servers once `discover` has found them. */
  available(): readonly ModelInfo[];
  /** Finds `provider/model`, or a part of a name unique to one model. Throws a ModelError that lists close matches. */
  resolve(reference: string): ModelInfo;
  /** The key of a provider, from the environment or `auth.json`. Never printed. */
  apiKey(provider: string): string | undefined;
  /** Opens a model. Its provider's package is imported lazily. */
  open(info: ModelInfo): LanguageModel;
  /** Looks for servers on loopback (Ollama, LM Studio, llama.cpp, vLLM) and adds their models. */
  discover(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<readonly ModelInfo[]>;
  /** The default model: from settings, otherwise the best available one, otherwise the offline one. */
  preferred(): ModelInfo;
  /** Adds a provider or changes a known one, until the program ends or it is unregistered. */
  registerProvider?(name: string, config: ProviderConfig): void;
  unregisterProvider?(name: string): void;
  /**
   * Adds a model of your own beside those of its provider, until the program ends or it is unregistered. It replaces one
   * of the same name. If the provider needs a key, the model is available once there is one.
   */
  registerModel?(model: LanguageModel): void;
  unregisterModel?(provider: string, id: string): void;
  /** The models that were added with `registerModel`. */
  registeredModels?(): readonly ModelInfo[];
  /** Registered providers with a login. */
  logins?(): readonly ProviderLogin[];
  /** Runs the login of a provider and saves the result. If the login throws, so does this, and nothing is saved. */
  login?(provider: string, callbacks: LoginCallbacks): Promise<void>;
  /** Removes the saved login or key of a provider; false if there is none. */
  logout?(provider: string): boolean;
  /** Like `apiKey`, but renews an expired login first. Throws a ModelError if that fails. */
  freshKey?(provider: string): Promise<string | undefined>;
  /** Asks registered providers for their current models. `discover` does this too. */
  refreshModels?(options?: RefreshModelsOptions): Promise<RefreshModelsResult>;
}
