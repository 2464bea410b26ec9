/** For authors of extensions: the API, the context, the events. The door of `bough/extension`. */

export type {
  AgentMessage,
  AssistantMessage,
  BranchSummaryEntry,
  CompactionEntry,
  CustomMessage,
  CustomMessageEntry,
  EntryId,
  ImageBlock,
  MoveCause,
  SessionEntry,
  TextBlock,
  ToolCallBlock,
  ToolResultMessage,
  UserContent,
} from "@bough/session/entry/index.js";
export type { NewEntryFields, SessionManager } from "@bough/session/session/index.js";
export type { McpServerSettings } from "../mcp/index.js";
export type {
  LanguageModel,
  LoginCallbacks,
  ModelEvent,
  ModelInfo,
  ModelRegistry,
  ModelRequest,
  OAuthCredentials,
  OfferedTool,
  ProviderConfig,
  ProviderModelConfig,
  ProviderOAuth,
  RefreshModelsContext,
  SimpleContext,
  SimpleOptions,
  SimpleStreamEvent,
  StoredModels,
  StreamOptions,
  ThinkingLevel,
} from "../model/index.js";
export type {
  Blocked,
  PermissionDecision,
  PermissionRequest,
  Tool,
  ToolContext,
  ToolResult,
  ToolSessionEvent,
  ToolUpdate,
} from "../tool/index.js";
export type { ExtensionBus } from "./api/extension-bus.js";
export type {
  CommandContext,
  CompactOptions,
  CompleteRequest,
  Completion,
  ContextUsage,
  ExtensionContext,
  ExtensionMode,
  ExtensionModels,
  LimitedSession,
  NewSessionOptions,
  ReadOnlySession,
  ReplacedSessionContext,
  ReplaceSessionOptions,
  SessionReplacement,
} from "./api/extension-context.js";
export type { ForkResult, MovedFiles, NavigateOptions, NavigateResult } from "./api/navigation.js";
export type { ToolDefinition, ToolExecutionContext, ToolParameters } from "./api/tool-definition.js";
export type { CustomMessageInput, MessageSender, SendOptions, UserMessageOptions } from "./custom-message.js";
export { EXTENSION_EVENTS, type ExtensionEventNote } from "./event/extension-event-names.js";
export type {
  BeforeCompactEvent,
  BeforeCompactResult,
  BeforeForkEvent,
  BeforeSwitchEvent,
  BeforeTreeEvent,
  BeforeTreeResult,
  CancelResult,
  CompactEvent,
  CompactingEvent,
  CompactingResult,
  CompactionPreparation,
  CompactionReason,
  CompactionResult,
  ExtensionEventName,
  ExtensionEvents,
  ForkEvent,
  SummaryResult,
  TreeEvent,
  TreePreparation,
} from "./event/extension-events.js";
export type {
  AssistantMessageEvent,
  BashOperations,
  BashOperationsResult,
  InputEvent,
  InputEventResult,
  ProjectTrustResult,
  RegisteredMcpServer,
  RunEvents,
  SystemPromptOptions,
  ToolCallEvent,
  ToolCallEventResult,
  ToolResultEvent,
  ToolResultEventResult,
} from "./event/run-events.js";
export type { ExecOptions, ExecResult } from "./exec.js";
export type {
  CommandInfo,
  ExtensionApi,
  ExtensionCommand,
  ExtensionFactory,
  ExtensionFlag,
  ExtensionHandler,
  ExtensionShortcut,
  NamedExtension,
  ToolInfo,
} from "./extension-api.js";
export type { ExtensionUi, FrontEndUi, UiThemeInfo, UiThemeResult } from "./extension-ui.js";
export type {
  HookMessage,
  HookUIContext,
  RegisteredCommand,
  SessionBeforeTreeEvent,
  SessionBeforeTreeResult,
  SessionTreeEvent,
} from "./seed-names.js";
export type { EntryRenderer, MessageRenderer, ToolRendererResolver, ToolRenderers } from "./ui-renderers.js";
