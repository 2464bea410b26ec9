/**
 * Converts content blocks of the Messages API to ours and back. What ours cannot hold is kept verbatim in the origin.
 */
import type { AssistantBlock, ImageBlock, TextBlock, Usage, UserContent } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { availableBlock } from "../conversion/outside-image.js";
import { stringIn } from "../foreign-lines.js";
import { blocksIn, type JsonObject } from "./claude-record.js";

/** The blocks of an answer, whose content can also be a plain string. */
export function assistantBlocks(content: unknown): AssistantBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return blocksIn(content).flatMap((block): AssistantBlock[] => {
    if (block.type === "text") return [{ type: "text", text: stringIn(block.text) ?? "" }];
    if (block.type === "thinking") {
      const signature = stringIn(block.signature);
      const thinking = stringIn(block.thinking) ?? "";
      return [{ type: "thinking", thinking, ...defined({ thinkingSignature: signature }) }];
    }
    if (block.type === "redacted_thinking") {
      return [{ type: "thinking", thinking: "", thinkingSignature: stringIn(block.data) ?? "", redacted: true }];
    }
    if (block.type === "tool_use" && typeof block.id === "string") {
      const input = isRecord(block.input) ? block.input : {};
      return [{ type: "toolCall", id: block.id, name: stringIn(block.name) ?? "unknown", arguments: input }];
    }
    return [];
  });
}

/** The inverse of `assistantBlocks`. */
export function toAssistantContent(blocks: readonly AssistantBlock[]): JsonObject[] {
  return blocks.map(toAssistantBlock);
}

function toAssistantBlock(block: AssistantBlock): JsonObject {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "toolCall") return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
  if (block.redacted === true) return { type: "redacted_thinking", data: block.thinkingSignature ?? "" };
  const { thinkingSignature: signature } = block;
  return { type: "thinking", thinking: block.thinking, ...defined({ signature }) };
}

/** Text and images of content that can be a string, blocks, or a mix of both. */
export function userBlocks(content: unknown): (TextBlock | ImageBlock)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown): (TextBlock | ImageBlock)[] => {
    if (typeof block === "string") return [{ type: "text", text: block }];
    if (!isRecord(block)) return [];
    if (block.type === "text") return [{ type: "text", text: stringIn(block.text) ?? "" }];
    if (block.type === "image") return imageIn(block);
    if (block.type === "document") return [{ type: "text", text: documentText(block) }];
    return [];
  });
}

export function userContent(content: unknown): UserContent {
  return typeof content === "string" ? content : userBlocks(content);
}

/** The inverse of `userContent`. */
export function toUserContent(content: UserContent): string | JsonObject[] {
  if (typeof content === "string") return content;
  return content.map(availableBlock).map((block) => {
    if (block.type === "text") return { type: "text", text: block.text };
    return { type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } };
  });
}

interface ResultParts {
  readonly toolCallId: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

/** A result as the API expects it: a single text becomes a string, and `is_error` is set only for errors. */
export function toResultBlock({ toolCallId, content, isError }: ResultParts): JsonObject {
  const only = content.length === 1 ? content[0] : undefined;
  const body = only?.type === "text" ? only.text : toUserContent(content);
  return { type: "tool_result", tool_use_id: toolCallId, content: body, ...(isError ? { is_error: true } : {}) };
}

function imageIn(block: JsonObject): ImageBlock[] {
  const source = isRecord(block.source) ? block.source : {};
  const data = stringIn(source.data);
  if (data === undefined) return [];
  return [{ type: "image", data, mimeType: stringIn(source.media_type) ?? "application/octet-stream" }];
}

function documentText(block: JsonObject): string {
  const source = isRecord(block.source) ? block.source : {};
  if (source.type === "text" && typeof source.data === "string") return source.data;
  return `[document: ${stringIn(block.title) ?? stringIn(source.media_type) ?? "unknown"}]`;
}

export function usageIn(usage: unknown): Usage {
  const counts = isRecord(usage) ? usage : {};
  const input = numberIn(counts.input_tokens);
  const output = numberIn(counts.output_tokens);
  const cacheRead = numberIn(counts.cache_read_input_tokens);
  const cacheWrite = numberIn(counts.cache_creation_input_tokens);
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite };
}

export function toUsage(usage: Usage | undefined): JsonObject {
  return {
    input_tokens: numberIn(usage?.input),
    output_tokens: numberIn(usage?.output),
    cache_creation_input_tokens: numberIn(usage?.cacheWrite),
    cache_read_input_tokens: numberIn(usage?.cacheRead),
  };
}

function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
