/**
 * Keeps requests small: of results of tools from earlier turns the model sees the first lines. The session keeps them whole.
 * Uses `context`, which may return other messages for one request.
 */
import type { ExtensionApi } from "bough/extension";

const LINES = 5;

export default function (bough: ExtensionApi) {
  bough.on("context", (event) => {
    const lastPrompt = event.messages.findLastIndex(({ role }) => role === "user");
    const messages = event.messages.map((message, at) => {
      if (at > lastPrompt || message.role !== "toolResult") return message;
      return {
        ...message,
        content: message.content.map((block) => (block.type === "text" ? shortened(block) : block)),
      };
    });
    return { messages };
  });
}

function shortened<Block extends { readonly text: string }>(block: Block): Block {
  const lines = block.text.split("\n");
  if (lines.length <= LINES) return block;
  return { ...block, text: [...lines.slice(0, LINES), `(${lines.length - LINES} more lines)`].join("\n") };
}
