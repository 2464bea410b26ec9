import { createHash } from "node:crypto";
import type { ModelInputMessage } from "../context/index.js";

const LONGEST = 64;

/**
 * The input with call ids every provider takes: letters, digits, `_` and `-`, at most 64 of them.
 *
 * Sessions of other programs hold ids such as `call_1|fc_2`. An id that had to change keeps a mark made from the whole
 * original, so different ids stay different; the same id always becomes the same.
 */
export function withSafeCallIds(messages: readonly ModelInputMessage[]): readonly ModelInputMessage[] {
  return messages.map((message) => {
    if (message.role === "toolResult") return { ...message, toolCallId: safeCallId(message.toolCallId) };
    if (message.role !== "assistant") return message;
    const content = message.content.map((block) =>
      block.type === "toolCall" ? { ...block, id: safeCallId(block.id) } : block,
    );
    return { ...message, content };
  });
}

function safeCallId(id: string): string {
  if (id.length <= LONGEST && /^[A-Za-z0-9_-]+$/.test(id)) return id;
  const mark = createHash("sha256").update(id).digest("hex").slice(0, 8);
  return `${id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST - 9)}_${mark}`;
}
