/** Tells the model the date and the platform, at the start of the conversation. */
import type { AgentMessage } from "@bough/session/entry/index.js";

/**
 * Adds a note before the first message of a request. It is not in the session: the date is that of the first message,
 * so the same path gives the same bytes tomorrow too, and a provider's cache holds. In the system prompt it would
 * change the start of every conversation each day.
 */
export function withSurroundings(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const [first] = messages;
  return first === undefined ? messages : [surroundings(first), ...messages];
}

function surroundings({ timestamp }: AgentMessage): AgentMessage {
  const date = typeof timestamp === "number" ? dateOf(timestamp) : undefined;
  const lines = [...(date === undefined ? [] : [`Date: ${date}`]), `Platform: ${process.platform} ${process.arch}`];
  return { role: "user", content: `<environment>\n${lines.join("\n")}\n</environment>`, timestamp };
}

/** The day where the user is, such as "2026-11-19"; undefined for a damaged time. */
function dateOf(timestamp: number): string | undefined {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return undefined;
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
