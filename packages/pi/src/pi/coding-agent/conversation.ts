/** Converts messages to roles that models know, and a conversation to text. */
import { toModelInput } from "@bough/session/context/index.js";
import { type AgentMessage, contentText } from "@bough/session/entry/index.js";

/**
 * Gives summaries, extension messages and shell commands the user's role; everything else is unchanged, including usage
 * and time. Leaves out what the model would not be shown.
 */
export function convertToLlm(messages: readonly AgentMessage[]): AgentMessage[] {
  return messages.flatMap((message): AgentMessage[] => {
    const { role } = message;
    if (role === "user" || role === "assistant" || role === "toolResult" || role === "system") return [message];
    const [input] = toModelInput([message], { provider: "" });
    if (input === undefined || input.role !== "user") return [];
    return [{ role: "user", content: input.content, timestamp: message.timestamp }];
  });
}

const MOST_RESULT_CHARACTERS = 2000;

/** A conversation as text to be summarized, so that the model does not try to continue it. Long results are cut. */
export function serializeConversation(messages: readonly AgentMessage[]): string {
  const parts: string[] = [];
  for (const message of messages) {
    if (message.role === "user") add(parts, "User", contentText(message.content));
    else if (message.role === "assistant") {
      const { content } = message;
      const thinking = content.flatMap((block) => (block.type === "thinking" ? [block.thinking] : []));
      const calls = content.flatMap((block) =>
        block.type === "toolCall" ? [`${block.name}(${argumentsText(block.arguments)})`] : [],
      );
      add(parts, "Assistant thinking", thinking.join("\n"));
      add(parts, "Assistant", contentText(content));
      add(parts, "Assistant tool calls", calls.join("; "));
    } else if (message.role === "toolResult") add(parts, "Tool result", shortened(contentText(message.content)));
  }
  return parts.join("\n\n");
}

function add(parts: string[], who: string, text: string): void {
  if (text.trim() !== "") parts.push(`[${who}]: ${text}`);
}

function argumentsText(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ");
}

function shortened(text: string): string {
  const more = text.length - MOST_RESULT_CHARACTERS;
  return more > 0 ? `${text.slice(0, MOST_RESULT_CHARACTERS)}\n\n[... ${more} more characters truncated]` : text;
}
