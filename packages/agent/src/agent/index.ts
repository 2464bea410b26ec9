/** The agent: turns, moves, summaries, compaction and the other operations. The door of `bough/agent`. */

export { type ModelInputMessage, toModelInput } from "@bough/session/context/index.js";
export type {
  AgentMessage,
  AssistantMessage,
  BashExecutionMessage,
  BranchSummaryEntry,
  BroughtFiles,
  CodedErrorOptions,
  CompactionEntry,
  ContextReplacement,
  Cost,
  EntryId,
  FileState,
  ImageBlock,
  OtherSession,
  SkippedFile,
  ToolResultMessage,
  Usage,
} from "@bough/session/entry/index.js";
export type { NewEntryFields, SessionManager, SessionTreeNode } from "@bough/session/session/index.js";
export type { BlockedWhy, Clash, ConflictWhy, FileDifference, NoDiff } from "@bough/session/view/door.js";
export type { BranchComparison, BranchSide, SessionStats, Totals } from "@bough/session/view/internal.js";
export type {
  BlobSource,
  BringPlan,
  FileConflict,
  FilePlan,
  MergeChoice,
  MergedFilesPlan,
  MissingFile,
  PlannedFile,
  ProtectedFile,
  RestorePlan,
  RunningCommand,
} from "@bough/workbench/checkpoint/index.js";
export type { ExportedSession, ExportRequest } from "@bough/workbench/export/index.js";
export type { CopyProgress, DependenciesFound } from "@bough/workbench/folder/index.js";
export {
  type AcpDriverOptions,
  acpDriver,
  DRIVER_ERROR_CODES,
  type Driver,
  type DriverAnswer,
  type DriverCall,
  type DriverChoice,
  type DriverChoices,
  DriverError,
  type DriverErrorCode,
  type DriverLimits,
  type DriverModes,
  type DriverOption,
  type DriverOptionName,
  type DriverPrompt,
  type DriverQuestion,
  type DriverUpdate,
  type DriverValue,
  driverNamed,
  type FileEdit,
  type LateListener,
  type LoadedNative,
  type LoadOptions,
  type MadeToAsk,
  type MakeAsk,
  type NativeFacts,
  type OpenDriver,
  type OpenDriverOptions,
  type TurnEnd,
} from "../driver/index.js";
export type {
  CustomMessageInput,
  ExtensionFactory,
  ExtensionUi,
  ForkResult,
  MovedFiles,
  NamedExtension,
  NavigateOptions,
  NavigateResult,
  SystemPromptOptions,
} from "../extension/index.js";
export type { ExtensionHooks, ExtensionHost } from "../extension/run.js";
export type {
  AnnouncedServer,
  ConfiguredServer,
  ExposeSetting,
  McpServerSettings,
  McpServers,
  McpServersOptions,
  RecordedOffer,
  ResolveTool,
  ResourceText,
  ServerFacts,
  ServerOffer,
  ServerPrompt,
  ServerQuestions,
  ServerResource,
  ServerSource,
  ServerState,
  ServerTool,
  ToolExposure,
  ToolSearchSettings,
  TransportPlace,
} from "../mcp/index.js";
export {
  type AccountCheck,
  type AiSdkModel,
  type AiSdkStream,
  type AnswerSource,
  type BrowserSignIn,
  type CheckOptions,
  costOf,
  createModelRegistry,
  type KeySource,
  type KnownModelApi,
  type LanguageModel,
  type LocalServer,
  type LoginCallbacks,
  MODEL_ERROR_CODES,
  type ModelApi,
  ModelError,
  type ModelErrorCode,
  type ModelEvent,
  type ModelFailure,
  type ModelInfo,
  type ModelNotice,
  type ModelPrices,
  type ModelRegistry,
  type ModelRequest,
  type OAuthCredentials,
  type OfferedTool,
  offlineModel,
  type ProviderLogin,
  type RefreshModelsOptions,
  type RefreshModelsResult,
  type RegistryOptions,
  type SignInRedirect,
  type StepPurpose,
  type StreamOptions,
  THINKING_LEVELS,
  type ThinkingLevel,
  type UserModelRegistry,
} from "../model/index.js";
export type { ProjectContext, PromptTemplate, Settings, Skill, ThemeFile } from "../project/index.js";
export {
  type AskPermission,
  type BashOptions,
  type Blocked,
  type CheckedInput,
  type CommandPattern,
  type CommandSandbox,
  type CreatePermissionsOptions,
  type CreateToolsOptions,
  createPermissions,
  createTools,
  defineJsonTool,
  defineTool,
  type EditorFiles,
  type FilePreview,
  failureResult,
  type InputSchema,
  type Job,
  Jobs,
  type JsonToolSpec,
  type LookupAll,
  PERMISSION_MODES,
  type PermissionAnswer,
  type PermissionDecision,
  type PermissionGrant,
  type PermissionMode,
  type PermissionQuestion,
  type PermissionRequest,
  type Permissions,
  type ProcessEnd,
  RULE_EFFECTS,
  type Rule,
  type RuleEffect,
  type RuleSource,
  type RuleTarget,
  type RunProcessOptions,
  type Sandbox,
  type SandboxedCommand,
  type SandboxState,
  type SandboxStatus,
  type SpawnRequest,
  type SpawnToolOptions,
  type StartJobOptions,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolResult,
  type ToolSessionEvent,
  type ToolSpec,
  type ToolUpdate,
  type ToolUseFacts,
  textResult,
  type WebFetchOptions,
  type WebSearchResult,
  type WebSource,
  type WrapOptions,
} from "../tool/index.js";
export { AGENT_ERROR_CODES, AgentError, type AgentErrorCode } from "./agent-error.js";
export type { AgentEvent, OutputOutcome, RunOutcome, ToolDenial } from "./agent-events.js";
export type {
  AgentSessionOptions,
  BeforeGiven,
  DriverOptions,
  LeftAgent,
  Permit,
  ToolUse,
} from "./agent-options.js";
export type { DriverWork } from "./agent-parts.js";
export { AgentSession } from "./agent-session.js";
export type { Attempt, AttemptRun, AttemptState, TryResult } from "./attempt/attempt.js";
export type { AttemptOutcome, CheckResult, FileCounts, TestCounts } from "./attempt/attempt-entries.js";
export type { Judgement } from "./attempt/judge-attempts.js";
export type { KeepOptions, KeepOutcome } from "./attempt/keep-attempt.js";
export type { TryOptions } from "./attempt/start-attempts.js";
export type { CompactOutcome } from "./compaction/compact.js";
export type { ContextEdit, ContextEditRequest } from "./compaction/edit-context.js";
export type { Pin } from "./compaction/pins.js";
export type { UndoneCompaction } from "./compaction/undo-compaction.js";
export {
  type CreateAgentOptions,
  createAgentSession,
  type PermissionRules,
  type PermissionsOption,
} from "./create-agent-session.js";
export { type AttachableHost, extensionHost } from "./extension/extension-host.js";
export type { ExtensionHostOptions } from "./extension/host-options.js";
export type { DiffFilesOptions, FilesDifference } from "./files/diff-files.js";
export type { BringFilesOptions, ConflictsOutcome, UnansweredConflict } from "./merge/bring-files.js";
export type { CherryPickOutcome, SkippedEntry } from "./merge/cherry-pick.js";
export type { MergeOutcome, MergeRequest } from "./merge/merge-branch.js";
export type { UndoStep } from "./move/move-history.js";
export type { SwitchResult } from "./move/switch-session.js";
export type { OperationName } from "./operation-name.js";
export type { PromptOptions } from "./prompt-options.js";
export type { SpawnOptions, SubAgent, SubAgentEnd } from "./spawn/sub-agent.js";
export type { LossReport } from "./summary/loss-report.js";
export type { QueuedTexts } from "./turn/message-queue.js";
export type { RecordedBash } from "./turn/run-bash.js";
export type { RunLimits, RunUsage } from "./turn/run-limits.js";
export type { Delivery } from "./turn/send-message.js";
export type { OutputOf, OutputSchema } from "./turn/structured-output.js";
