/** What authors of extensions use: the API, the context, the events. The door of `bough/extension`. */
export type {
  AgentMessage,
  BranchSummaryEntry,
  CompactionEntry,
  EntryId,
  MoveCause,
  SessionEntry,
  ToolResultMessage,
  UserContent,
} from "../entry/index.js";
export type { ModelInfo, ModelRegistry } from "../model/index.js";
export type { NewEntryFields, SessionManager } from "../session/index.js";
export type { JsonToolSpec, Tool } from "../tool/index.js";
export type { CustomMessageInput } from "./custom-message.js";
export type {
  CommandContext,
  ExecOptions,
  ExecResult,
  ExtensionApi,
  ExtensionCommand,
  ExtensionContext,
  ExtensionFactory,
  ExtensionHandler,
  ForkResult,
  LimitedSession,
  NavigateOptions,
  NavigateResult,
  ReadOnlySession,
  ToolDefinition,
} from "./extension-api.js";
export { EXTENSION_EVENTS, type ExtensionEventNote } from "./extension-event-names.js";
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
  CompactionResult,
  ExtensionEventName,
  ExtensionEvents,
  ForkEvent,
  InputEvent,
  InputEventResult,
  SummaryResult,
  SwitchEvent,
  ToolCallEvent,
  ToolCallEventResult,
  ToolResultEvent,
  ToolResultEventResult,
  TreeEvent,
  TreePreparation,
} from "./extension-events.js";
export type { ExtensionUi, FrontEndUi } from "./extension-ui.js";
export type { EntryRenderer, MessageRenderer, ToolRenderers } from "./ui-renderers.js";
