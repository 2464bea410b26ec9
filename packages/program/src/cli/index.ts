/** The command line: arguments, and the print, JSON and RPC modes. Connects all rooms. */
export { INSTALL_ERROR_CODES } from "@bough/agent/extension/internal.js";
export { CLI_ERROR_CODES, CliError, type CliErrorCode, usageError } from "./cli-error.js";
export {
  type AgentRequest,
  type CliRequest,
  type InteractiveRequest,
  parseCliOptions,
  type SessionChoice,
} from "./cli-options.js";
export { makeDemo } from "./demo/make-demo.js";
export { FLAG_GROUPS, FLAGS, type Flag, helpText } from "./flags.js";
export { runCli } from "./run-cli.js";
