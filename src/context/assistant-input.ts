import type { AssistantBlock, AssistantMessage } from "../entry/index.js";
import type { JsonRecord } from "./json-value.js";
import type { AssistantInput, ModelInputTarget, ProviderBlock } from "./model-input-message.js";

/**
 * An answer as the target may see it; `null` if nothing of it is left.
 *
 * The target sees its own finished answers whole: signatures, redacted thinking, blocks only it understands, and its
 * payload. From anyone else's answer, and from one that ended with `error` or `aborted`, it gets text and tool calls:
 * thinking becomes plain text, since what was found out on the way is still worth knowing, and everything that only its
 * maker could read is dropped. Unfinished answers count as foreign because a provider refuses reasoning that it cannot
 * match with the output that should have followed.
 */
export function assistantInput(message: AssistantMessage, target: ModelInputTarget): AssistantInput | null {
  const own = isOwn(message, target);
  const content: (AssistantBlock | ProviderBlock)[] = [];
  for (const block of message.content) {
    const shown = own ? ownBlock(block) : foreignBlock(block);
    if (shown !== null) content.push(shown);
  }
  if (content.length === 0) return null;
  const payload: unknown = (message as unknown as JsonRecord).providerPayload;
  return { role: "assistant", content, ...(own && payload !== undefined ? { providerPayload: payload } : {}) };
}

function isOwn(message: AssistantMessage, target: ModelInputTarget): boolean {
  if (message.stopReason === "error" || message.stopReason === "aborted") return false;
  return message.provider === target.provider && (target.model === undefined || message.model === target.model);
}

function ownBlock(block: AssistantBlock): AssistantBlock | ProviderBlock | null {
  switch (block.type) {
    case "text":
      // Blank text is refused, but a signed one may be what the provider expects after its reasoning.
      return isBlank(block.text) && block.textSignature === undefined ? null : block;
    case "thinking":
      return isBlank(block.thinking) && block.thinkingSignature === undefined ? null : block;
    case "toolCall": {
      const { partialJson: _leftover, ...call } = block as typeof block & { partialJson?: unknown };
      return call;
    }
    default:
      return ownUnknownBlock(block);
  }
}

function ownUnknownBlock(block: JsonRecord): AssistantBlock | ProviderBlock {
  if (block.type === "redactedThinking" && typeof block.data === "string") {
    return { type: "thinking", thinking: "", thinkingSignature: block.data, redacted: true };
  }
  return { type: "provider", data: block };
}

function foreignBlock(block: AssistantBlock): AssistantBlock | null {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? null : { type: "text", text: block.text };
    case "thinking":
      return block.redacted === true || isBlank(block.thinking) ? null : { type: "text", text: block.thinking };
    case "toolCall":
      return { type: "toolCall", id: block.id, name: block.name, arguments: block.arguments };
    default:
      return null;
  }
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
