/** Exports for Bough's other rooms only. */
export { modelsSettingsSchema } from "./catalogue/models-settings-schema.js";
export { OVERFLOW_PATTERNS } from "./failure/model-failure.js";
export { proxiedFetch } from "./network/proxied-fetch.js";
export { proxyOf } from "./network/proxy-of.js";
export { changeAuthEntry } from "./save-keys.js";
export { estimateTextTokens } from "./text-tokens.js";
