/** Failures of the command line and of RPC: a stable code, data, and what to do next. */
import { CodedError } from "../entry/index.js";

export const CLI_ERROR_CODES = {
  "wrong-usage": "the command line is not valid",
  "not-opened": "the session was not opened, because the question about it was answered with no",
  "ambiguous-session": "several sessions match",
  "unknown-tool": "no tool has this name",
  "unknown-command": "no extension has this command",
  "command-failed": "the command of an extension failed",
  "bad-request": "the line is not a request",
  "unknown-method": "no method has this name",
  "bad-params": "the parameters of the request are not valid",
  internal: "something unexpected failed",
} as const;
export type CliErrorCode = keyof typeof CLI_ERROR_CODES;

export class CliError extends CodedError<CliErrorCode> {
  override readonly name = "CliError";
}

/** A mistake on the command line: exit code 2. */
export function usageError(message: string, hint = "For usage, run: bough --help"): CliError {
  return new CliError("wrong-usage", message, { hint });
}
