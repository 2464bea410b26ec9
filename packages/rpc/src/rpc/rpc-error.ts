import type { Fault } from "./protocol/outcomes.js";

/** A request that failed: the program's own code, message, hint and data. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  /** Stable: docs/reference/errors.md lists them. `connection-closed` if the program is gone. */
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
