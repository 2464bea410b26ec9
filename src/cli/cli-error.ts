/** Failures of the command line and of RPC: a stable code, data, and what to do next. */
export const CLI_ERROR_CODES = {
  "wrong-usage": "the command line is not valid",
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

export interface CliErrorOptions {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly cause?: unknown;
}

export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  /** What to do next, as a sentence. */
  readonly hint: string | undefined;

  constructor(code: CliErrorCode, message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data ?? {};
    this.hint = options.hint;
  }
}

/** A mistake on the command line: exit code 2. */
export function usageError(message: string, hint = "See what there is with: bough --help"): CliError {
  return new CliError("wrong-usage", message, { hint });
}
