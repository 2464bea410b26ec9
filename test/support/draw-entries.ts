/** A conversation as text: one line for each entry that was said, below what it hangs at. Notes are not drawn. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import { isConversationEntry } from "./interop-source.js";

const WIDTH = 40;

/** A fork moves its branches to the right; what has one follower stays in its column. */
export function drawEntries(entries: readonly SessionEntry[]): string {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const children = new Map<string, SessionEntry[]>();
  for (const entry of entries) {
    if (!isDrawn(entry)) continue;
    let above = byId.get(entry.parentId ?? "");
    while (above !== undefined && !isDrawn(above)) above = byId.get(above.parentId ?? "");
    const key = above?.id ?? "";
    children.set(key, [...(children.get(key) ?? []), entry]);
  }
  const lines: string[] = [];
  const waiting = (children.get("") ?? []).map((entry) => ({ entry, depth: 0 })).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { entry, depth } = next;
    lines.push(`${"  ".repeat(depth)}${wordsOf(entry)}`);
    const below = children.get(entry.id) ?? [];
    const deeper = below.length > 1 ? depth + 1 : depth;
    for (const child of below.toReversed()) waiting.push({ entry: child, depth: deeper });
  }
  return lines.join("\n");
}

function isDrawn(entry: SessionEntry): boolean {
  return isConversationEntry(entry) || (entry.type === "custom" && entry.customType === "bough.subagent");
}

function wordsOf(entry: SessionEntry): string {
  if (entry.type === "custom") return "sub-agent";
  if (entry.type === "compaction") return `compaction: ${short(entry.summary)}`;
  if (entry.type === "custom_message") return `${entry.customType}: ${short(textOf(entry.content))}`;
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  if (message.role === "toolResult") return `result of ${message.toolName}: ${short(textOf(message.content))}`;
  if (message.role === "user") return `user: ${short(textOf(message.content))}`;
  return message.role === "assistant" ? `assistant: ${short(textOf(message.content))}` : message.role;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: { type?: string; text?: string; name?: string }) =>
      block.type === "toolCall" ? `[${block.name}]` : block.type === "text" ? block.text : `[${block.type}]`,
    )
    .join(" ");
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
}
