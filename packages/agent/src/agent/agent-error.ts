/** Failures of the agent: a stable code, data, and what to do next. */
import { CodedError } from "@bough/session/entry/index.js";

/** Codes of `AgentError`, and what each means. */
export const AGENT_ERROR_CODES = {
  busy: "another operation is running",
  "no-model": "no model is chosen",
  "empty-prompt": "there is nothing to send",
  "not-a-user-message": "the operation starts from a user message",
  "nothing-to-compact": "there is nothing to summarize",
  "nothing-to-undo": "there is nothing to undo",
  "summary-failed": "the summary could not be written; nothing was changed",
  "summary-cut-off": "the summary was cut off by the output limit; nothing was changed",
  "not-on-another-branch": "the entry is already on this path",
  "not-on-this-path": "the entry is not on this path",
  blocked: "a guard extension failed, so this was blocked",
  "agent-working": "another agent still works in this folder",
  "no-modes": "permissions are decided by a function; there are no modes",
  "no-content": "the entry has no text to use",
  "no-session-file": "attempts need a session that is saved and can be written",
  "bad-count": "the number of attempts is not possible",
  "unknown-attempt": "the session has no attempt with this name",
  "attempt-running": "the attempt is still running",
  "judge-failed": "the attempts could not be judged by a model",
} as const;
export type AgentErrorCode = keyof typeof AGENT_ERROR_CODES;

/** An operation of an agent that could not be done: a stable code, data, and a hint about what to do. */
export class AgentError extends CodedError<AgentErrorCode> {
  override readonly name = "AgentError";
}
