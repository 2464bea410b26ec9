/** Reads entries defensively, because files may contain anything. */
import { contentText, type ImageBlock, type SessionEntry, type ToolCallBlock } from "../../entry/index.js";
import { isRecord, withoutControls } from "../../text/index.js";
import type { BlockBase } from "./block.js";

export type Fields = Readonly<Record<string, unknown>>;

/** A text that is safe to show; "" for anything else. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? withoutControls(value) : "";
}

/** The text of a content, safe to show. */
export function shownText(content: unknown): string {
  return withoutControls(contentText(content));
}

export function imagesIn(content: unknown): readonly ImageBlock[] {
  const images: ImageBlock[] = [];
  for (const { type, data, mimeType } of blocksIn(content)) {
    if (type === "image" && typeof data === "string") images.push({ type, data, mimeType: textIn(mimeType) });
  }
  return images;
}

/** The blocks of a content; a bare string among them counts as text. */
export function blocksIn(content: unknown): readonly Fields[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[])
    .map((block) => (typeof block === "string" ? { type: "text", text: block } : block))
    .filter(isRecord);
}

/** The message of an entry as plain fields; undefined if it has none. */
export function messageIn(entry: SessionEntry): Fields | undefined {
  if (entry.type !== "message") return undefined;
  const message: unknown = entry.message;
  return isRecord(message) ? message : undefined;
}

export function callsIn(entry: SessionEntry): readonly ToolCallBlock[] {
  const message = messageIn(entry);
  if (message?.role !== "assistant") return [];
  const calls: ToolCallBlock[] = [];
  for (const block of blocksIn(message.content)) {
    const call = block.type === "toolCall" ? callOf(block) : undefined;
    if (call !== undefined) calls.push(call);
  }
  return calls;
}

export function callOf(block: Fields): ToolCallBlock | undefined {
  if (typeof block.id !== "string" || typeof block.name !== "string") return undefined;
  return {
    type: "toolCall",
    id: block.id,
    name: textIn(block.name),
    arguments: isRecord(block.arguments) ? block.arguments : {},
  };
}

/** An entry's time in milliseconds; 0 if it cannot be parsed. */
export function timeOf(entry: SessionEntry): number {
  const time = Date.parse(entry.timestamp);
  return Number.isNaN(time) ? 0 : time;
}

/** The fields that every block of an entry starts with. */
export function blockStart(entry: SessionEntry, part: string): BlockBase {
  return { id: `${entry.id}:${part}`, entryId: entry.id, time: timeOf(entry) };
}
