/** Errors of agents that drive a session: a stable code, data, and a hint. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `DriverError`, and what each means. */
export const DRIVER_ERROR_CODES = {
  "unknown-agent": "no agent with this name can drive a session",
  "agent-missing": "the agent's program is not installed",
  "agent-failed": "the agent could not start, exited, or answered with an error",
  "agent-slow": "the agent did not answer in time",
  "agent-login": "the agent requires a login in its own program",
  "agent-history": "the agent could not be given the conversation of this branch",
  "agent-option": "the agent does not offer the model, effort or mode that was chosen",
  "agent-cannot": "the agent does not support what was requested",
} as const;
export type DriverErrorCode = keyof typeof DRIVER_ERROR_CODES;

/** Another agent cannot drive the session: a stable code, data, and a hint. */
export class DriverError extends CodedError<DriverErrorCode> {
  override readonly name = "DriverError";
}
