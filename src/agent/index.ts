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
export type {
  GivenPrices,
  ModelFailure,
  ModelPrices,
  RegistryOptions,
  ThinkingLevel,
  UserModelRegistry,
} from "../model/index.js";
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
export * from "./compaction/compact.js";
export * from "./compaction/edit-context.js";
export * from "./compaction/pins.js";
export * from "./compaction/plan-compaction.js";
export * from "./compaction/undo-compaction.js";
export type { ConversingAgent, PromptOptions } from "./conversing-agent.js";
export { type CreateAgentOptions, createAgentSession } from "./create-agent-session.js";
export type { AgentListener } from "./event-hub.js";
export { type AgentExtensionHost, type ExtensionHostOptions, extensionHost } from "./extension-host.js";
export * from "./merge/cherry-pick.js";
export * from "./merge/compare.js";
export * from "./merge/merge-branch.js";
export * from "./move/branch-here.js";
export * from "./move/branch-in-place.js";
export * from "./move/clone.js";
export * from "./move/fork.js";
export * from "./move/move-history.js";
export * from "./move/navigate.js";
export * from "./move/pop.js";
export type { SwitchResult } from "./move/switch-session.js";
export * from "./move/switch-to.js";
export * from "./move/undo-move.js";
export type { OperationName } from "./operation-name.js";
export type { ContextFilesPlace } from "./project/context-files.js";
export { CONTEXT_FILE_LIMIT, type ContextFile, readContextFiles } from "./project/context-files.js";
export * from "./project/project-context.js";
export type { ProjectPlace, ProjectProblem } from "./project/project-files.js";
export * from "./project/prompt-templates.js";
export {
  readSettingValue,
  type SettingField,
  type SettingSource,
  settingField,
  settingFields,
  settingSources,
} from "./project/setting-fields.js";
export * from "./project/settings.js";
export * from "./project/settings-schema.js";
export * from "./project/skills.js";
export * from "./project/system-prompt.js";
export { type SettingChange, writeSetting } from "./project/write-setting.js";
export type { Permit, RunParts } from "./run-parts.js";
export * from "./stats.js";
export * from "./summary/loss-report.js";
export type { StatementKind } from "./summary/statements.js";
export * from "./summary/token-estimate.js";
export type { MessageQueue, QueuedPrompt, QueuedTexts } from "./turn/message-queue.js";
export { DEFAULT_RETRY, planRetry, type RetryPlan, type RetrySettings } from "./turn/plan-retry.js";
export type { ExecutedCommand, RunBashOptions } from "./turn/run-bash.js";
export { OUTPUT_LIMIT_NOTICE } from "./turn/run-turn.js";
export type { Delivery } from "./turn/send-message.js";
export type { Sleep } from "./turn/sleep.js";
export * from "./usage-total.js";
