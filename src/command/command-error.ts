/** Failures of commands: a stable code, data, and what to do next. */
import { CodedError } from "../entry/index.js";

export const COMMAND_ERROR_CODES = {
  "unknown-command": "no command has this name",
  unavailable: "the command cannot be used now",
  "wrong-arguments": "the command does not take what was written after it",
  "unknown-reference": "nothing has this id, label or number",
  "ambiguous-reference": "several entries match",
  "own-session": "the file is a session of Bough's own, which needs no import",
  "needs-agreement": "something would be lost and it could not ask; nothing was written",
  "label-taken": "another entry has this label",
  "stopped-by-extension": "an extension cancelled it; nothing was changed",
} as const;
type CommandErrorCode = keyof typeof COMMAND_ERROR_CODES;

export class CommandError extends CodedError<CommandErrorCode> {
  override readonly name = "CommandError";
}
