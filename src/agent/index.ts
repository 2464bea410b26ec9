/** The agent: turns, navigation, summaries, compaction and the other operations. The door of `bough/agent`. */
export type { ModelInputMessage, ModelInputTarget } from "../context/index.js";
export { toModelInput } from "../context/index.js";
export type {
  AgentMessage,
  AssistantMessage,
  BashExecutionMessage,
  BranchSummaryEntry,
  CompactionEntry,
  ContextReplacement,
  Cost,
  EntryId,
  FileDetails,
  ImageBlock,
  MoveCause,
  SessionEntry,
  ToolResultMessage,
  Usage,
} from "../entry/index.js";
export type { ExportedSession, ExportRequest } from "../export/index.js";
export type {
  CompactionPreparation,
  CustomMessageInput,
  ExtensionHooks,
  ExtensionHost,
  ExtensionUi,
  ForkResult,
  NavigateOptions,
  NavigateResult,
  TreePreparation,
} from "../extension/index.js";
export type { ModelFailure, ModelPrices, RegistryOptions, ThinkingLevel, UserModelRegistry } from "../model/index.js";
export {
  costOf,
  createModelRegistry,
  type LanguageModel,
  ModelError,
  type ModelInfo,
  type ModelRegistry,
  offlineModel,
} from "../model/index.js";
export type { NewEntryFields, SessionManager, SessionTreeNode } from "../session/index.js";
export type {
  CreatePermissionsOptions,
  CreateToolsOptions,
  JsonToolSpec,
  PermissionDecision,
  PermissionRequest,
  Permissions,
  ToolResult,
  ToolSpec,
  ToolUpdate,
} from "../tool/index.js";
export {
  createPermissions,
  createTools,
  defineJsonTool,
  defineTool,
  failureResult,
  type Tool,
  ToolFailure,
  textResult,
} from "../tool/index.js";
export * from "./agent-error.js";
export * from "./agent-events.js";
export * from "./agent-options.js";
export * from "./agent-parts.js";
export * from "./agent-session.js";
export * from "./branch-here.js";
export * from "./branch-in-place.js";
export * from "./cherry-pick.js";
export * from "./clone.js";
export * from "./compact.js";
export * from "./compare.js";
export type { ContextFilesPlace } from "./context-files.js";
export { CONTEXT_FILE_LIMIT, type ContextFile, readContextFiles } from "./context-files.js";
export type { ConversingAgent, PromptOptions } from "./conversing-agent.js";
export { type CreateAgentOptions, createAgentSession } from "./create-agent-session.js";
export * from "./edit-context.js";
export type { AgentListener } from "./event-hub.js";
export { type AgentExtensionHost, type ExtensionHostOptions, extensionHost } from "./extension-host.js";
export * from "./fork.js";
export * from "./loss-report.js";
export * from "./merge-branch.js";
export type { MessageQueue, QueuedTexts } from "./message-queue.js";
export * from "./move-history.js";
export * from "./navigate.js";
export type { OperationName } from "./operation-name.js";
export * from "./pins.js";
export * from "./plan-compaction.js";
export { DEFAULT_RETRY, planRetry, type RetryPlan, type RetrySettings } from "./plan-retry.js";
export * from "./pop.js";
export * from "./project-context.js";
export type { ProjectPlace, ProjectProblem } from "./project-files.js";
export * from "./prompt-templates.js";
export type { ExecutedCommand, RunBashOptions } from "./run-bash.js";
export type { Permit, RunParts } from "./run-parts.js";
export { OUTPUT_LIMIT_NOTICE } from "./run-turn.js";
export type { Delivery } from "./send-message.js";
export {
  readSettingValue,
  type SettingField,
  type SettingSource,
  settingField,
  settingFields,
  settingSources,
} from "./setting-fields.js";
export * from "./settings.js";
export * from "./settings-schema.js";
export * from "./skills.js";
export type { Sleep } from "./sleep.js";
export type { StatementKind } from "./statements.js";
export * from "./stats.js";
export type { SwitchResult } from "./switch-session.js";
export * from "./switch-to.js";
export * from "./system-prompt.js";
export * from "./token-estimate.js";
export * from "./undo-compaction.js";
export * from "./undo-move.js";
export * from "./usage-total.js";
export { type SettingChange, writeSetting } from "./write-setting.js";
