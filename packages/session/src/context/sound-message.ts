import type { AgentMessage, UserContent } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { isFilledString, type JsonRecord, textOfValue } from "./json-value.js";

/**
 * A message whose content has the shape that its role requires, or `null` if nothing can be shown.
 *
 * Files of other programs and versions contain malformed content: a tool result with a string, a user message with a
 * number, a block without text. A well-formed message is returned as the same object; any other as a corrected copy.
 * The older role `hookMessage` becomes `custom`. Messages with unknown roles are returned unchanged. Never throws.
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
      // Without an ID it can never be paired with its call.
      if (!isFilledString(value.toolCallId)) return null;
      return withContent(value, Array.isArray(value.content) ? soundBlocks(value.content) : textBlocks(value.content));
    default:
      return typeof value.role === "string" ? asMessage(value) : null;
  }
}

/** Content as blocks: a string becomes one text block; empty content becomes no block. */
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

/** Returns the same array if every block is well-formed, so that usually nothing is copied. */
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
      // Blocks of an unknown kind stay in the context; model input decides who may see them.
      return typeof block.type === "string" ? block : null;
  }
}

/** Unknown roles are passed through; code that reads a message switches on its role with a default. */
function asMessage(value: JsonRecord): AgentMessage {
  return value as unknown as AgentMessage;
}
