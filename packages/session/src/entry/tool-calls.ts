/** Tool calls and results inside entries, validated, because files may contain anything. */
import { isRecord } from "../text/index.js";
import { roleIn } from "./content.js";
import type { SessionEntry } from "./entry.js";
import type { ToolCallBlock } from "./message.js";

/** The tool calls in an entry; empty for anything but an assistant message. */
export function callsIn(entry: SessionEntry): ToolCallBlock[] {
  if (entry.type !== "message" || roleIn(entry) !== "assistant") return [];
  const content: unknown = (entry.message as { readonly content?: unknown }).content;
  if (!Array.isArray(content)) return [];
  const calls: ToolCallBlock[] = [];
  for (const block of content as readonly unknown[]) {
    if (!isRecord(block) || block.type !== "toolCall" || typeof block.id !== "string") continue;
    const name = typeof block.name === "string" ? block.name : "";
    calls.push({ type: "toolCall", id: block.id, name, arguments: isRecord(block.arguments) ? block.arguments : {} });
  }
  return calls;
}

export interface ResultIn {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly isError: boolean;
}

/** The tool result in an entry; undefined for anything else. */
export function resultIn(entry: SessionEntry): ResultIn | undefined {
  if (entry.type !== "message" || roleIn(entry) !== "toolResult") return undefined;
  const { toolCallId, toolName, isError } = entry.message as unknown as Readonly<Record<string, unknown>>;
  if (typeof toolCallId !== "string") return undefined;
  return { toolCallId, toolName: typeof toolName === "string" ? toolName : "", isError: isError === true };
}
