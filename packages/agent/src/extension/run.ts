/**
 * For programs that run extensions: find, load, run, and connect them to an agent. The door of `bough/extension/run`.
 */
export { createRunner } from "./create-runner.js";
export { exec } from "./exec.js";
export type { FlagLookup } from "./extension-api.js";
export { type ExtensionHooks, type HookAnswer, type HookOptions, NO_HOOKS } from "./extension-hooks.js";
export type { AgentActions, ExtensionHost } from "./extension-host.js";
export { ExtensionRunner, type LoadableExtension, type RunnerOptions } from "./extension-runner.js";
export { type ExtensionPlaces, type ExtensionSource, type FoundExtensions, findExtensions } from "./find-extensions.js";
export type { ExtensionAdapter, ImportOptions, SharedModules } from "./import-extension.js";
export type {
  BuiltInNames,
  ExtensionProblem,
  OnProblem,
  Registered,
  RegisteredHandler,
  Registrations,
} from "./registrations.js";
export { type CommandOutcome, type RunCommandOptions, runCommand, runShortcut } from "./run-command.js";
export { silentUi } from "./silent-ui.js";
