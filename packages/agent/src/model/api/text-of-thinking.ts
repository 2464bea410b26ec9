import type { ThinkingBlock } from "@bough/session/entry/index.js";
import type { AssistantPart } from "../provider-types.js";

/** Thinking without a signature, as plain text, so that its findings are not lost. */
export function textOfThinking(block: ThinkingBlock): readonly AssistantPart[] {
  const hidden = block.redacted === true || block.thinking.trim() === "";
  return hidden ? [] : [{ type: "text", text: block.thinking }];
}
