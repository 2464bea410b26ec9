/** What other rooms use of the models and programs do not. */
export { modelsSettingsSchema } from "./catalogue/models-settings-schema.js";
