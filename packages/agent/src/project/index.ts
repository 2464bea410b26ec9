/** What the project and the user provide: settings, context files, prompt templates, skills; and the system prompt. */

export type { CodedErrorOptions } from "@bough/session/entry/index.js";
export type { ConfiguredServer, McpServerSettings, ServerSource } from "../mcp/index.js";
export type { ModelApi, ModelSettings, ModelsSettings, ProviderSettings, ThinkingLevel } from "../model/index.js";
export type { CommandPattern, PermissionMode, Rule, RuleEffect, RuleSource, RuleTarget, Tool } from "../tool/index.js";
export type { AgentDescription } from "./agent-files.js";
export type { CacheWarming } from "./cache-warming.js";
export type { ContextFile } from "./context-files.js";
export { addLocalRules, addUserRules, localSettingsFile, removeRule } from "./permission-rules.js";
export { NO_PROJECT, type ProjectContext, readProjectContext } from "./project-context.js";
export type { ProjectProblem } from "./project-files.js";
export { expandPromptTemplate, type PromptTemplate } from "./prompt-templates.js";
export { type ResourcePaths, readResources } from "./resources.js";
export { DEFAULT_SANDBOX, SANDBOX_CHOICES, type SandboxChoice } from "./sandbox-choice.js";
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
  type ReadSettings,
  type RetrySettings,
  readSettings,
  type Settings,
  type SettingsPlace,
  type SettingsProblem,
} from "./settings.js";
export { SETTINGS_ERROR_CODES, SettingsError, type SettingsErrorCode } from "./settings-error.js";
export { type SettingsFile, settingsSchema, TRUSTED_ONLY, USER_ONLY } from "./settings-file.js";
export type { Skill } from "./skills.js";
export { type SystemPromptParts, systemPrompt } from "./system-prompt.js";
export { packageThemes, type ThemeColor, type ThemeFile } from "./theme-files.js";
export { type SettingChange, type WrittenSetting, writeSetting } from "./write-setting.js";
