/** What an entry is called in a sentence. */

import type { EntryId, SessionEntry } from "../entry/index.js";
import type { SessionManager } from "../session/index.js";
import { titleOf } from "../text/index.js";

/** The text of an entry as a person wrote or reads it; empty where it has none. */
export function textOfEntry(entry: SessionEntry): string {
  switch (entry.type) {
    case "message": {
      const message = entry.message as unknown as Readonly<Record<string, unknown>> | undefined;
      return message?.role === "bashExecution" ? String(message.command ?? "") : textIn(message?.content);
    }
    case "compaction":
    case "branch_summary":
      return typeof entry.summary === "string" ? entry.summary : "";
    case "custom_message":
      return textIn(entry.content);
    default:
      return "";
  }
}

/** Its first words; where it has none, what it is. */
export function titleOfEntry(session: Pick<SessionManager, "getEntry">, id: EntryId | null): string {
  if (id === null) return "the start";
  const entry = session.getEntry(id);
  if (entry === undefined) return id;
  if (entry.type === "compaction") return "compaction";
  if (entry.type === "branch_summary") return "branch summary";
  // What a tool gave back says little by its first words.
  if (entry.type === "message" && entry.message.role === "toolResult") return whatItIs(entry);
  const words = titleOf(textOfEntry(entry));
  return words === "" ? whatItIs(entry) : words;
}

function whatItIs(entry: SessionEntry): string {
  if (entry.type !== "message") return titleOf(entry.type.replaceAll("_", " "));
  const message = entry.message as unknown as Readonly<Record<string, unknown>> | undefined;
  if (message?.role === "toolResult") return titleOf(`result of ${String(message.toolName)}`);
  const calls = Array.isArray(message?.content) ? message.content.filter((block) => block?.type === "toolCall") : [];
  return calls.length === 0 ? "message" : titleOf(`call of ${calls.map((call) => String(call.name)).join(", ")}`);
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts: string[] = [];
  for (const block of content as readonly unknown[]) {
    const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
    if (type === "text" && typeof text === "string") texts.push(text);
  }
  return texts.join("\n");
}
