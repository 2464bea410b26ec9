/** Validates what a tool returned: the tools of programs and extensions may be untyped. */
import type { ImageBlock, TextBlock } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { ToolResult } from "./tool.js";

const EXPECTED = 'Expected a string, or an object with content: [{ type: "text", text: "..." }]';

/** A string becomes content. Anything else that is not a result becomes an error, for the model and the user. */
export function soundResult(tool: string, value: unknown): ToolResult {
  const content = soundContent(isRecord(value) ? value.content : typeof value === "string" ? value : undefined);
  if (content === undefined) {
    const text = `${tool} returned an invalid result: ${described(value)}. ${EXPECTED}.`;
    return { content: [{ type: "text", text }], isError: true };
  }
  return isRecord(value) ? { ...value, content } : { content };
}

/** Content of a result, or undefined if it is invalid. A string becomes one text block. */
export function soundContent(content: unknown): ToolResult["content"] | undefined {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) && content.every(isBlock) ? content : undefined;
}

function isBlock(block: unknown): block is TextBlock | ImageBlock {
  if (!isRecord(block)) return false;
  if (block.type === "text") return typeof block.text === "string";
  return block.type === "image" && typeof block.data === "string" && typeof block.mimeType === "string";
}

/** Describes the type only: the value may be long, or secret. */
function described(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (!isRecord(value)) return Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return "content" in value ? "an object whose content is not valid" : "an object without content";
}
