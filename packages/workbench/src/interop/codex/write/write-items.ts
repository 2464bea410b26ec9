/** Converts entries to response items: the original ones if they came from Codex, otherwise new ones. */
import { entryMessage, toModelInput } from "@bough/session/context/index.js";
import type {
  AgentMessage,
  AssistantBlock,
  ImageBlock,
  SessionEntry,
  TextBlock,
  ThinkingBlock,
  ToolResultMessage,
} from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { dataUrlOfImage } from "../../conversion/data-url.js";
import { objectIn, stringIn } from "../../foreign-lines.js";
import { type CodexOrigin, type OriginItem, originOf } from "../codex-origin.js";
import { textOfBlocks, writeContent } from "../item-content.js";
import type { JsonObject } from "../rollout-record.js";

export interface WrittenItem {
  readonly item: JsonObject;
  readonly time?: string;
  readonly metadata?: unknown;
}

/** The items of one entry; empty if it is not conversation. */
export function itemsOf(entry: SessionEntry): WrittenItem[] {
  const message = entryMessage(entry);
  if (message === null) return [];
  const origin = originOf(entry);
  return origin === undefined ? newItems(message) : restoredItems(message, origin);
}

function restoredItems(message: AgentMessage, origin: CodexOrigin): WrittenItem[] {
  let at = 0;
  const blocks = "content" in message && Array.isArray(message.content) ? (message.content as AssistantBlock[]) : [];
  return origin.items.map((kept) => {
    const own = blocks.slice(at, at + kept.blocks);
    at += kept.blocks;
    const { time, metadata } = kept;
    const item = restoredItem(kept, own, message);
    return { item, time, metadata };
  });
}

/** Restores an original item by filling in the contents of its entry. */
function restoredItem(
  { item }: OriginItem,
  blocks: readonly (AssistantBlock | ImageBlock)[],
  message: AgentMessage,
): JsonObject {
  const [first] = blocks;
  if (first?.type === "thinking" && first.thinkingSignature !== undefined) {
    return { ...item, ...objectIn(first.thinkingSignature) };
  }
  if (first?.type === "toolCall") return { ...item, ...callFields(item, first) };
  if (message.role === "toolResult") {
    const output = item.output === undefined && item.tools === undefined ? textOfBlocks(message.content) : item.output;
    const filled = Array.isArray(output) ? fillParts(output, message.content).map(asInput) : output;
    return { ...item, call_id: message.toolCallId, ...defined({ output: filled }) };
  }
  if (Array.isArray(item.content)) return { ...item, content: fillParts(item.content, blocks) };
  if (item.type === "message" && item.content === undefined) {
    const texts = blocks.filter((block) => block.type === "text" || block.type === "image");
    return { ...item, content: writeContent(texts, "output_text") };
  }
  return item;
}

/** Restores the text and images of parts, except for those that were kept completely. */
function fillParts(frames: readonly unknown[], blocks: readonly (AssistantBlock | ImageBlock)[]): unknown[] {
  let at = 0;
  return frames.map((frame) => {
    const block = blocks[at];
    if (!isRecord(frame) || "text" in frame || "image_url" in frame || block === undefined) return frame;
    at += 1;
    if (block.type === "text") return { ...frame, text: block.text };
    return block.type === "image" ? { ...frame, image_url: dataUrlOfImage(block) } : frame;
  });
}

/** Other tools write results with the part types of answers, and Codex drops an output it cannot read. */
function asInput(part: unknown): unknown {
  return isRecord(part) && (part.type === "output_text" || part.type === "text")
    ? { ...part, type: "input_text" }
    : part;
}

type CallBlock = Extract<AssistantBlock, { type: "toolCall" }>;

function callFields(item: JsonObject, call: CallBlock): JsonObject {
  switch (item.type) {
    case "custom_tool_call":
      return { name: call.name, input: call.arguments.input, call_id: call.id };
    case "local_shell_call":
      return { action: call.arguments, call_id: call.id };
    case "tool_search_call":
      return { arguments: call.arguments, call_id: call.id };
    case "web_search_call":
      return { action: call.arguments };
    case "image_generation_call":
      return { revised_prompt: call.arguments.prompt };
    default:
      return {
        name: call.name,
        // Arguments that differ from what we would write are kept with the item.
        ...("arguments" in item ? {} : { arguments: JSON.stringify(call.arguments) }),
        call_id: call.id,
      };
  }
}

function newItems(message: AgentMessage): WrittenItem[] {
  if (message.role === "assistant") {
    return message.content.map(newAnswerItem).flatMap((item) => (item === undefined ? [] : [asItem(item)]));
  }
  if (message.role === "toolResult") return [asItem(newOutput(message))];
  return toModelInput([message], { provider: "openai" }).flatMap((input) =>
    input.role === "user" ? [asItem(userItem(input.content))] : [],
  );
}

function asItem(item: JsonObject): WrittenItem {
  return { item };
}

function userItem(content: readonly (TextBlock | ImageBlock)[]): JsonObject {
  return { type: "message", role: "user", content: writeContent(content, "input_text") };
}

function newAnswerItem(block: AssistantBlock): JsonObject | undefined {
  switch (block.type) {
    case "text": {
      if (block.text === "") return undefined;
      return { type: "message", role: "assistant", content: [{ type: "output_text", text: block.text }] };
    }
    case "thinking":
      return newReasoning(block);
    case "toolCall":
      return { type: "function_call", name: block.name, arguments: JSON.stringify(block.arguments), call_id: block.id };
    default:
      return undefined;
  }
}

/** Only the provider's own signature is written, since it would reject others. */
function newReasoning({ thinking, thinkingSignature }: ThinkingBlock): JsonObject | undefined {
  const signed = thinkingSignature === undefined ? undefined : objectIn(thinkingSignature);
  if (signed?.type === "reasoning" && typeof signed.encrypted_content === "string") return signed;
  if (thinking === "") return undefined;
  return { type: "reasoning", summary: [{ type: "summary_text", text: thinking }] };
}

function newOutput({ toolCallId, content }: ToolResultMessage): JsonObject {
  const images = content.some((block) => block.type === "image");
  const output = images ? writeContent(content, "input_text") : textOfBlocks(content);
  return { type: "function_call_output", call_id: toolCallId, output };
}

/** The ID of the call that an item makes or answers. */
export function callIdOf(item: JsonObject): string | undefined {
  return stringIn(item.call_id);
}
