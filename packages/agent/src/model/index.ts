/** Language models: registry, catalogue, adapters to the AI SDK, the built-in offline model. */

export { type AuthFile, authPath, readAuthFile } from "@bough/workbench/secrets/index.js";
export { BROWSER_SIGN_INS, type BrowserSignIn, type SignInRedirect } from "./account/browser-key.js";
export type { AccountCheck, CheckOptions } from "./account/check-account.js";
export {
  type KeySaving,
  keepsKeys,
  keySavedText,
  type SaveKeyRequest,
  saveCheckedKey,
} from "./account/save-checked-key.js";
export { catalogue } from "./catalogue/catalogue.js";
export { costOf, type GivenPrices, knownPrices, pricedUsage } from "./catalogue/cost-of.js";
export { type FetchedList, readFetchedLists } from "./catalogue/fetched-lists.js";
export { PRICES_DATE } from "./catalogue/known-models.js";
export { type ListedModel, type ModelsFile, readModelsFile, takeModelsFile } from "./catalogue/models-file.js";
export type { ModelSettings, ModelsSettings, ProviderSettings } from "./catalogue/models-settings.js";
export { priceBook } from "./catalogue/price-book.js";
export {
  createModelRegistry,
  type KeySource,
  type RegistryOptions,
  type UserModelRegistry,
} from "./create-registry.js";
export { type AiSdkModel, type AiSdkStream, fromAiSdk, isAiSdkModel } from "./from-ai-sdk.js";
export { keyVariables } from "./key-variables.js";
export {
  type AnswerSource,
  type KnownModelApi,
  type LanguageModel,
  type ModelApi,
  type ModelEvent,
  type ModelFailure,
  type ModelInfo,
  type ModelNotice,
  type ModelPrices,
  type ModelRequest,
  type OfferedTool,
  OUTPUT_TOOL,
  type StepPurpose,
  type StreamOptions,
  THINKING_LEVELS,
  type ThinkingLevel,
  UNKNOWN_LIMITS,
} from "./language-model.js";
export { LOCAL_SERVERS, type LocalServer } from "./local/local-server.js";
export { smallWindow } from "./local/small-window.js";
export { MODEL_ERROR_CODES, ModelError, type ModelErrorCode } from "./model-error.js";
export type { ModelRegistry } from "./model-registry.js";
export { OFFLINE_INFO, offlineModel } from "./offline/offline-model.js";
export { openModel } from "./open-model.js";
export type { LoginCallbacks, OAuthCredentials, ProviderLogin, ProviderOAuth } from "./provider/oauth-config.js";
export type { RefreshModelsOptions, RefreshModelsResult } from "./provider/refresh-models.js";
export type {
  ProviderConfig,
  ProviderModelConfig,
  RefreshModelsContext,
  SimpleContext,
  SimpleOptions,
  SimpleStreamEvent,
  StoredModels,
} from "./provider-config.js";
export { redactKeys } from "./redact-keys.js";
export { saveKey } from "./save-keys.js";
export { unreadableInput } from "./unreadable-call.js";
