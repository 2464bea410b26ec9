/** The shape of every failure that is thrown on purpose: a stable code, typed data, and what to do next. */
export interface CodedErrorOptions {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Each room with its own failures has one class of this shape and a table of its codes. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  readonly data: Readonly<Record<string, unknown>>;
  /** What to do next, as a sentence. */
  readonly hint: string | undefined;

  constructor(code: Code, message: string, options: CodedErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data ?? {};
    this.hint = options.hint;
  }
}
