/** Failures of commands: a stable code, data, and what to do next. */
import { CodedError } from "@bough/session/entry/index.js";

export const COMMAND_ERROR_CODES = {
  "unknown-command": "unknown command",
  unavailable: "the command cannot be used now",
  "wrong-arguments": "the command's arguments are wrong",
  "unknown-reference": "no entry has this ID, label or number",
  "ambiguous-reference": "several entries match",
  "own-session": "the file is already a Bough session",
  "needs-agreement": "data would be lost and it could not ask; nothing was written",
  "not-agreed": "the user did not agree to send the conversation to another agent; nothing was sent",
  "label-taken": "another entry has this label",
  "stopped-by-extension": "an extension cancelled it; nothing was changed",
} as const;
type CommandErrorCode = keyof typeof COMMAND_ERROR_CODES;

export class CommandError extends CodedError<CommandErrorCode> {
  override readonly name = "CommandError";
}
