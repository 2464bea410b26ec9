/** The text of an entry, as a user wrote or reads it. */
import { isRecord } from "../text/index.js";
import { NOTE_TYPES, type SessionEntry } from "./entry.js";
import type { UserContent } from "./message.js";

/**
 * The text blocks of any content, one after the other; a bare string among them counts as text. Everything else, such
 * as images, is skipped.
 */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts: string[] = [];
  for (const block of content as readonly unknown[]) {
    if (typeof block === "string") texts.push(block);
    else if (isRecord(block) && block.type === "text" && typeof block.text === "string") texts.push(block.text);
  }
  return texts.join("\n");
}

/**
 * The text of an entry: of its message, its summary, or an extension's message; of a shell command also its output.
 * Empty if it has none. Verbatim from the file: not safe to show.
 */
export function entryText(entry: SessionEntry): string {
  switch (entry.type) {
    case "message": {
      const message = entry.message as unknown;
      if (!isRecord(message)) return "";
      if (message.role === "bashExecution") return `${text(message.command)}\n${text(message.output)}`.trim();
      return contentText(message.content) || text(message.summary);
    }
    case "compaction":
    case "branch_summary":
      return text(entry.summary);
    case "custom_message":
      return contentText(entry.content as UserContent | undefined);
    default:
      return "";
  }
}

/** Whether an entry starts a turn: a prompt, or a message that an extension sent in place of one. */
export function startsTurn(entry: SessionEntry): boolean {
  if (entry.type === "custom_message") return !NOTE_TYPES.includes(entry.customType);
  const role = roleIn(entry);
  return role === "user" || role === "custom" || role === "hookMessage";
}

/** Whether an entry is a message of the user. */
export function isPrompt(entry: SessionEntry): boolean {
  return roleIn(entry) === "user";
}

/** The role of a message entry; undefined for other entries and for messages without one. */
export function roleIn(entry: SessionEntry): string | undefined {
  if (entry.type !== "message") return undefined;
  const role: unknown = (entry.message as { readonly role?: unknown } | null | undefined)?.role;
  return typeof role === "string" ? role : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
