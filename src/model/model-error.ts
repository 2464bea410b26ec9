/** Failures of the registry and its files: a stable code, data, and what to do next. */
export const MODEL_ERROR_CODES = {
  "unknown-model": "no model has this name",
  "unknown-provider": "no provider has this name",
  "ambiguous-model": "several models match",
  "bad-auth-file": "the file with the keys cannot be used",
  "bad-key": "the key cannot be saved",
} as const;
export type ModelErrorCode = keyof typeof MODEL_ERROR_CODES;

export interface ModelErrorOptions {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly cause?: unknown;
}

export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  /** What to do next, as a sentence. */
  readonly hint: string | undefined;

  constructor(code: ModelErrorCode, message: string, options: ModelErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data ?? {};
    this.hint = options.hint;
  }
}
