import type { AssistantInput, ModelInputMessage, ToolResultInput } from "./model-input-message.js";

/**
 * The input with every tool call under its own id: an id that occurred before gets a number, and so does its result.
 *
 * Some models count their calls again in every answer, and an entry copied to another branch brings its ids along;
 * providers refuse to see one id twice. Expects paired input. Looks back only, so earlier bytes never change.
 */
export function uniqueCallIds(messages: readonly ModelInputMessage[]): ModelInputMessage[] {
  const used = new Map<string, number>();
  let renamed = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "toolResult") return withResultId(message, renamed);
    if (message.role !== "assistant") return message;
    renamed = claimIds(message, used);
    return renamed.size === 0 ? message : withCallIds(message, renamed);
  });
}

/** `used` holds for each id how often it was wanted, so that a much repeated one is not counted up from the start. */
function claimIds(message: AssistantInput, used: Map<string, number>): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const block of message.content) {
    if (block.type !== "toolCall") continue;
    let count = (used.get(block.id) ?? 0) + 1;
    let id = count === 1 ? block.id : `${block.id}_${count}`;
    while (used.has(id)) id = `${block.id}_${++count}`;
    used.set(block.id, count);
    if (!used.has(id)) used.set(id, 1);
    if (id !== block.id) renamed.set(block.id, id);
  }
  return renamed;
}

function withCallIds(message: AssistantInput, renamed: ReadonlyMap<string, string>): AssistantInput {
  const content = message.content.map((block) => {
    const id = block.type === "toolCall" ? renamed.get(block.id) : undefined;
    return block.type === "toolCall" && id !== undefined ? { ...block, id } : block;
  });
  // The provider's copy of the answer holds the ids as they were.
  return { role: message.role, content };
}

function withResultId(result: ToolResultInput, renamed: ReadonlyMap<string, string>): ToolResultInput {
  const toolCallId = renamed.get(result.toolCallId);
  return toolCallId === undefined ? result : { ...result, toolCallId };
}
