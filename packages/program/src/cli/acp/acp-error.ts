/** Errors of the protocol: a JSON-RPC code, a message, and our own code with a hint. */
import { errorReportOf } from "../error-report.js";

/** The codes of the protocol that we use. */
export const PROTOCOL_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internal: -32603,
  authRequired: -32000,
  notFound: -32002,
} as const;

/** Thrown by code that does not load the protocol package; sent to the client unchanged. */
export class AcpError extends Error {
  override readonly name = "AcpError";
  readonly code: number;
  readonly data: unknown;

  constructor(kind: keyof typeof PROTOCOL_ERRORS, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = PROTOCOL_ERRORS[kind];
    this.data = data;
  }
}

const KINDS: Readonly<Record<string, keyof typeof PROTOCOL_ERRORS>> = {
  "session-not-found": "notFound",
  "entry-not-found": "notFound",
  "no-model": "authRequired",
  busy: "invalidRequest",
  "wrong-usage": "invalidParams",
  "bad-params": "invalidParams",
  "empty-prompt": "invalidParams",
};

/** Converts any failure to a protocol error. Its message says what happened and what to do. */
export function acpError(error: unknown): AcpError {
  if (error instanceof AcpError) return error;
  const { code, message, hint, data } = errorReportOf(error);
  const kind = Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
  const sentence = hint === undefined ? message : `${message}. ${hint}`;
  return new AcpError(kind ?? "internal", sentence, { code, ...data });
}

export function sessionNotFound(sessionId: string): AcpError {
  return new AcpError("notFound", "Session not found", { code: "session-not-found", sessionId });
}
