import type { AgentMessage, UserContent } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { isFilledString, type JsonRecord, textOfValue } from "./json-value.js";

/**
 * A message whose content has the shape its role promises, or `null` if nothing can be shown.
 *
 * Files of other programs and versions hold odd shapes: a tool result with a string for content, a user message with a
 * number, a block without text. A sound message comes back as the same object; an odd one as a corrected copy. The
 * older role `hookMessage` reads as `custom`. Roles this version does not know come back as they are. Never throws.
 */
export function soundMessage(value: unknown): AgentMessage | null {
  if (!isRecord(value)) return null;
  switch (value.role) {
    case "hookMessage":
      return withContent({ ...value, role: "custom" }, userContent(value.content));
    case "user":
    case "custom":
    case "system":
    case "developer":
      return withContent(value, userContent(value.content));
    case "assistant":
      return withContent(value, Array.isArray(value.content) ? soundBlocks(value.content) : textBlocks(value.content));
    case "toolResult":
      // Without an id it can never be paired with its call.
      if (!isFilledString(value.toolCallId)) return null;
      return withContent(value, Array.isArray(value.content) ? soundBlocks(value.content) : textBlocks(value.content));
    default:
      return typeof value.role === "string" ? asMessage(value) : null;
  }
}

/** Content as blocks: a string is one text block, nothing at all is not a block. */
function textBlocks(value: unknown): readonly unknown[] {
  if (value === null || value === undefined || value === "") return [];
  return [{ type: "text", text: textOfValue(value) }];
}

function userContent(value: unknown): UserContent | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? (soundBlocks(value) as UserContent) : textOfValue(value);
}

function withContent(message: JsonRecord, content: unknown): AgentMessage | null {
  if (content === null) return null;
  return asMessage(content === message.content ? message : { ...message, content });
}

/** The same array where every block is sound, so that nothing is copied in the usual case. */
function soundBlocks(blocks: readonly unknown[]): readonly unknown[] {
  let changed = false;
  const sound: unknown[] = [];
  for (const block of blocks) {
    const better = soundBlock(block);
    if (better === null || better !== block) changed = true;
    if (better !== null) sound.push(better);
  }
  return changed ? sound : blocks;
}

function soundBlock(block: unknown): unknown {
  if (typeof block === "string") return { type: "text", text: block };
  if (!isRecord(block)) return null;
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? block : null;
    case "thinking":
      return typeof block.thinking === "string" ? block : { ...block, thinking: "" };
    case "image":
      return typeof block.data === "string" && typeof block.mimeType === "string" ? block : null;
    case "toolCall":
      if (!isFilledString(block.id) || !isFilledString(block.name)) return null;
      return isRecord(block.arguments) ? block : { ...block, arguments: {} };
    default:
      // Blocks of a kind this version does not know stay in the context; model input decides who may see them.
      return typeof block.type === "string" ? block : null;
  }
}

/** Roles beyond the known ones travel as they are; code that reads a message switches on its role with a default. */
function asMessage(value: JsonRecord): AgentMessage {
  return value as unknown as AgentMessage;
}
