/** Which models there are, and how to reach them. */
import type { LanguageModel, ModelInfo } from "./language-model.js";
import type { LoginCallbacks, ProviderLogin } from "./provider/oauth-config.js";
import type { RefreshModelsOptions, RefreshModelsResult } from "./provider/refresh-models.js";
import type { ProviderConfig } from "./provider-config.js";

export interface ModelRegistry {
  /** Every model that is known, whether it can be reached or not; `offline/rules` is always among them. */
  all(): readonly ModelInfo[];
  /** Those with a key or without need of one. Local servers count once `discover` has found them. */
  available(): readonly ModelInfo[];
  /** From `provider/model`, or a part of a name that only one model has. Throws a ModelError that lists what comes near. */
  resolve(reference: string): ModelInfo;
  /** The key of a provider, from the environment or `auth.json`. Never printed. */
  apiKey(provider: string): string | undefined;
  /** Makes a model ready to use. Imports its provider's package only now. */
  open(info: ModelInfo): LanguageModel;
  /** Looks for servers on loopback (Ollama, LM Studio, llama.cpp, vLLM) and adds their models. */
  discover(options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number }): Promise<readonly ModelInfo[]>;
  /** The model to start with: settings, else the best that is available, else the offline one. */
  preferred(): ModelInfo;
  /** Adds a provider, or changes one that is known, until the program ends or it is taken back. */
  registerProvider?(name: string, config: ProviderConfig): void;
  unregisterProvider?(name: string): void;
  /** Providers that were registered with a login. */
  logins?(): readonly ProviderLogin[];
  /** Runs the login of a provider and saves what it gives. Throws what the login throws, and then nothing is saved. */
  login?(provider: string, callbacks: LoginCallbacks): Promise<void>;
  /** Removes the login or key that is saved for a provider; false if there is none. */
  logout?(provider: string): boolean;
  /** Like `apiKey`, after a login that expired was renewed. Throws a ModelError if that fails. */
  freshKey?(provider: string): Promise<string | undefined>;
  /** Asks registered providers for the models they have now. `discover` does so too. */
  refreshModels?(options?: RefreshModelsOptions): Promise<RefreshModelsResult>;
}
