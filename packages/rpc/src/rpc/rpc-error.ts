import type { Fault } from "./protocol/outcomes.js";

/** A failed request, with the program's code, message, hint and data. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** Stable and listed in docs/reference/errors.md. `connection-closed` if the program has ended. */
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor({ code, message, hint, data }: Fault) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.data = data ?? {};
  }
}
