/** What a project and a user bring: settings, context files, prompt templates, skills, and the system prompt made of them. */
export { NO_PROJECT, type ProjectContext, readProjectContext } from "./project-context.js";
export { expandPromptTemplate, type PromptTemplate } from "./prompt-templates.js";
export {
  readSettingValue,
  type SettingField,
  type SettingSource,
  settingField,
  settingFields,
  settingSources,
} from "./setting-fields.js";
export {
  type CompactionSettings,
  DEFAULT_SETTINGS,
  mergeSettings,
  type RetrySettings,
  readSettings,
  type Settings,
} from "./settings.js";
export { SETTINGS_ERROR_CODES, SettingsError } from "./settings-error.js";
export { type SettingsFile, settingsSchema, TRUSTED_ONLY, USER_ONLY } from "./settings-schema.js";
export { systemPrompt } from "./system-prompt.js";
export { writeSetting } from "./write-setting.js";
