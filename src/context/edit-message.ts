import type { AgentMessage, ContextReplacement } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { isFilledString, type JsonRecord } from "./json-value.js";
import { LEFT_OUT_RESULT } from "./repair-pairs.js";
import { soundMessage } from "./sound-message.js";

/** Whether a value read from a `context_edit` can take the place of content. Any other edit does nothing. */
export function isReplacement(value: unknown): value is ContextReplacement {
  return value === null || typeof value === "string" || Array.isArray(value);
}

/**
 * A message as a `context_edit` leaves it; `null` if it is omitted.
 *
 * Text takes the place of content, of the text of a summary, or of the output of a command. A tool result that is left
 * out leaves a note in its place, because its call still needs a result; whether it had failed stays known. An
 * assistant message loses its tool calls where the new content does not hold them.
 */
export function editMessage(message: AgentMessage, replacement: ContextReplacement): AgentMessage | null {
  if (replacement === null) return message.role === "toolResult" ? leftOut(message) : null;
  const role: string = message.role;
  switch (role) {
    case "branchSummary":
    case "compactionSummary": {
      const summary = plainText(replacement);
      return isFilledString(summary) ? ({ ...message, summary } as AgentMessage) : null;
    }
    case "bashExecution":
    case "pythonExecution":
      return { ...message, output: plainText(replacement) } as AgentMessage;
    case "assistant": {
      // The provider's own copy of the answer would bring the replaced content back.
      const { providerPayload: _copy, ...rest } = message as unknown as JsonRecord;
      return soundMessage({ ...rest, content: replacement });
    }
    default:
      return soundMessage({ ...message, content: replacement });
  }
}

function leftOut(result: Extract<AgentMessage, { role: "toolResult" }>): AgentMessage {
  return {
    role: "toolResult",
    toolCallId: result.toolCallId,
    toolName: result.toolName,
    content: [{ type: "text", text: LEFT_OUT_RESULT }],
    isError: result.isError === true,
    timestamp: result.timestamp,
  };
}

function plainText(replacement: string | readonly unknown[]): string {
  if (typeof replacement === "string") return replacement;
  const texts: string[] = [];
  for (const block of replacement) {
    if (typeof block === "string") texts.push(block);
    else if (isRecord(block) && typeof block.text === "string") texts.push(block.text);
  }
  return texts.join("\n");
}
