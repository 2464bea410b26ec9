/** Errors of the command line and of RPC: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

export const CLI_ERROR_CODES = {
  "wrong-usage": "invalid command line",
  "not-opened": "you chose not to open the session",
  "unknown-tool": "unknown tool",
  "unknown-command": "unknown extension command",
  "command-failed": "an extension's command failed",
  "no-sandbox": "the sandbox does not work here, or could not be set up",
  "bad-request": "the line is not a valid request",
  "unknown-method": "unknown method",
  "unknown-agent": "no spawned agent has this name",
  "too-many-agents": "too many agents on other branches",
  "unsupported-protocol": "the client asked for another version of the protocol",
  "bad-params": "the request's parameters are invalid",
  internal: "unexpected internal error",
} as const;
export type CliErrorCode = keyof typeof CLI_ERROR_CODES;

export class CliError extends CodedError<CliErrorCode> {
  override readonly name = "CliError";
}

/** A usage error: exit code 2. */
export function usageError(message: string, hint = "For usage, run: bough --help"): CliError {
  return new CliError("wrong-usage", message, { hint });
}
