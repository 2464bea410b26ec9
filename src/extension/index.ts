/** Extension API types, loader, runner. */
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
export { exec } from "./exec.js";
export type {
  CommandContext,
  CustomMessageInput,
  ExecOptions,
  ExecResult,
  ExtensionApi,
  ExtensionCommand,
  ExtensionContext,
  ExtensionFactory,
  ExtensionHandler,
  ExtensionUi,
  ForkResult,
  LimitedSession,
  MessageRenderer,
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
export { type ExtensionHooks, type HookAnswer, type HookOptions, NO_HOOKS } from "./extension-hooks.js";
export { type ExtensionHost, ExtensionRunner, type RunnerOptions } from "./extension-runner.js";
export { type GuardFailure, withheldResult } from "./failed-guard.js";
export { type ExtensionPlaces, type ExtensionSource, type FoundExtensions, findExtensions } from "./find-extensions.js";
export type { ImportOptions, SharedModules } from "./import-extension.js";
export type {
  BuiltInNames,
  ExtensionProblem,
  OnProblem,
  Registered,
  RegisteredHandler,
  Registrations,
} from "./registrations.js";
export { type CommandOutcome, type RunCommandOptions, runCommand } from "./run-command.js";
export { silentUi } from "./silent-ui.js";
export type { HoldClock, Waited, WaitOptions } from "./wait-for.js";
export { createClock, waitFor } from "./wait-for.js";
