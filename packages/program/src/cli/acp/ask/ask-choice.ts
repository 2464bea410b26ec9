/** Questions of commands and extensions. The protocol can only ask about tool calls, so each is sent as a call. */
import { randomUUID } from "node:crypto";
import type { PermissionOptionKind, ToolCall, ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import { visibleText } from "@bough/session/text/index.js";
import type { ClientLink } from "../client/client-link.js";
import { textContent } from "../update/tool-call.js";

export interface Choice<Answer> {
  readonly answer: Answer;
  readonly label: string;
  readonly kind: PermissionOptionKind;
}

export interface ChoiceQuestion<Answer> {
  readonly title: string;
  readonly lines?: readonly string[];
  readonly content?: readonly ToolCallContent[];
  readonly choices: readonly Choice<Answer>[];
  readonly signal?: AbortSignal;
}

export function questionId(): string {
  return `question-${randomUUID()}`;
}

/** The chosen answer; undefined if none was chosen or the client cannot ask. */
export async function askChoice<Answer>(
  link: ClientLink,
  { title, lines = [], content = [], choices, signal }: ChoiceQuestion<Answer>,
): Promise<Answer | undefined> {
  const toolCallId = questionId();
  const text = visibleText(lines.join("\n")).text;
  const call: ToolCall = {
    toolCallId,
    title: visibleText(title, { newlines: "escape" }).text,
    kind: "other",
    status: "pending",
    content: [...(text === "" ? [] : [textContent(text)]), ...content],
  };
  link.update({ sessionUpdate: "tool_call", ...call });
  const options = choices.map(({ label, kind }, at) => ({
    optionId: `choice-${at}`,
    name: visibleText(label, { newlines: "escape" }).text,
    kind,
  }));
  const chosen = await link.choose({ toolCall: call, options }, signal);
  const at = chosen === undefined ? -1 : options.findIndex(({ optionId }) => optionId === chosen.id);
  const answered = choices[at];
  link.update({
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: answered === undefined ? "failed" : "completed",
  });
  return answered?.answer;
}
