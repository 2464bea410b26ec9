import type { ThinkingBlock } from "@bough/session/entry/index.js";
import type { AssistantPart } from "../provider-types.js";

/** Thinking whose proof is missing, as plain text: what was found out on the way is still worth knowing. */
export function textOfThinking(block: ThinkingBlock): readonly AssistantPart[] {
  const hidden = block.redacted === true || block.thinking.trim() === "";
  return hidden ? [] : [{ type: "text", text: block.thinking }];
}
