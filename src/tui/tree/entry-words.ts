/** What an entry says, whole, as text to copy. */
import type { SessionEntry } from "../../entry/index.js";
import { withoutControls } from "../../view/index.js";

/** Empty for entries that say nothing. Without control characters: it may be pasted into another terminal. */
export function entryWords(entry: SessionEntry): string {
  return withoutControls(wordsOf(entry)).trim();
}

function wordsOf(entry: SessionEntry): string {
  switch (entry.type) {
    case "message": {
      const { content, command, output } = entry.message as unknown as Readonly<Record<string, unknown>>;
      return typeof command === "string" ? `${command}\n${String(output ?? "")}` : textIn(content);
    }
    case "custom_message":
      return textIn(entry.content);
    case "compaction":
    case "branch_summary":
      return typeof entry.summary === "string" ? entry.summary : "";
    default:
      return "";
  }
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts: string[] = [];
  for (const block of content as readonly unknown[]) {
    const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
    if (type === "text" && typeof text === "string") texts.push(text);
  }
  return texts.join("\n\n");
}
