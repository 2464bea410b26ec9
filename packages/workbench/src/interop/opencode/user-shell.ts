/** Commands that the user ran with `!`, stored as a notice from opencode and an answer with only the call. */
import type { BashExecutionMessage } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";
import type { Part } from "./session-entries.js";
import type { JsonObject, StoredMessage } from "./session-store.js";

const NOTICE = "The following tool was executed by the user";

/** Whether a user message is only the notice that the user ran a command. */
export function isShellNotice(parts: readonly Part[]): boolean {
  const [only] = parts;
  if (only === undefined || parts.length !== 1 || only.value.type !== "text") return false;
  return only.value.synthetic === true && stringIn(only.value.text)?.trim() === NOTICE;
}

/** The part with the command, if an answer belongs to such a notice and contains nothing else. */
export function commandIn(notice: StoredMessage, info: JsonObject, parts: readonly Part[]): Part | undefined {
  const [only] = parts;
  if (only === undefined || parts.length !== 1 || only.value.type !== "tool") return undefined;
  const answers = info.parentID === undefined || info.parentID === notice.id;
  return answers && isRecord(only.value.state) && commandOf(only.value.state) !== undefined ? only : undefined;
}

function commandOf({ input }: JsonObject): string | undefined {
  return isRecord(input) ? stringIn(input.command) : undefined;
}

const ABORTED = /\n*<metadata>\s*User aborted the command\s*<\/metadata>\s*$/;

/** opencode stores no exit code. A command that never ended was stopped together with opencode. */
export function shellMessage({ value }: Part, timestamp: number): BashExecutionMessage {
  const state = isRecord(value.state) ? value.state : {};
  const metadata = isRecord(state.metadata) ? state.metadata : {};
  const printed = stringIn(state.output) ?? stringIn(metadata.output) ?? stringIn(state.error) ?? "";
  const ended = state.status === "completed" || state.status === "success";
  return {
    role: "bashExecution",
    command: commandOf(state) ?? "",
    output: printed.replace(ABORTED, ""),
    cancelled: !ended || ABORTED.test(printed),
    truncated: false,
    timestamp,
  };
}
