/** What other rooms use of the models and programs do not. */
export { modelsSettingsSchema } from "./catalogue/models-settings-schema.js";
export { OVERFLOW_PATTERNS } from "./failure/model-failure.js";
