/** Language models: registry, catalogue, adapters to the AI SDK, the built-in offline model. */
export { authPath, readAuthFile, saveKey } from "./auth-file.js";
export { catalogue } from "./catalogue.js";
export { costOf, type GivenPrices, pricedUsage } from "./cost-of.js";
export { createModelRegistry, type RegistryOptions, type UserModelRegistry } from "./create-registry.js";
export { LOCAL_SERVERS, type LocalServer } from "./discover-servers.js";
export { keyVariables } from "./key-variables.js";
export * from "./language-model.js";
export * from "./model-error.js";
export * from "./model-registry.js";
export { type ModelsSettings, modelsSettingsSchema } from "./models-settings.js";
export { OFFLINE_INFO, offlineModel } from "./offline/offline-model.js";
export { type OpenModelOptions, openModel } from "./open-model.js";
export { redactKeys } from "./redact-keys.js";
export { unreadableInput } from "./unreadable-call.js";
