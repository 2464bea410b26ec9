/** An entry's text for reading and editing, and the content that results from an edited text. */
import { type ContextReplacement, contentText, type SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";

type Block = Readonly<Record<string, unknown>>;

/** What a user reads: text, thinking, calls with their arguments, output. */
export function readableText(entry: SessionEntry, edit?: ContextReplacement): string {
  if (edit === null) return "";
  const holder = holderOf(entry);
  const content = edit ?? holder.content ?? holder.summary ?? holder.output;
  const command = typeof holder.command === "string" ? `$ ${holder.command}\n` : "";
  return command + readableContent(content);
}

/** What a user may rewrite: only the text. Calls and images are kept. */
export function editableText(entry: SessionEntry, edit?: ContextReplacement): string {
  const holder = holderOf(entry);
  return contentText(edit ?? holder.content ?? holder.summary ?? holder.output);
}

/** New content for the model: the edited text, and everything else the entry contained. */
export function withText(entry: SessionEntry, text: string): Exclude<ContextReplacement, null> {
  const holder = holderOf(entry);
  const { content } = holder;
  if (!Array.isArray(content)) return text;
  const others = (content as readonly unknown[]).filter((block) => isRecord(block) && block.type !== "text");
  // Thinking belongs to its original text; providers reject it next to another one.
  const kept = others.filter((block) => (block as Block).type !== "thinking");
  return [...(text === "" ? [] : [{ type: "text", text }]), ...kept];
}

function holderOf(entry: SessionEntry): Block {
  const holder: unknown = entry.type === "message" ? entry.message : entry;
  return isRecord(holder) ? holder : {};
}

function readableContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: string[] = [];
  for (const block of content as readonly unknown[]) {
    if (!isRecord(block)) continue;
    if (block.type === "text" && typeof block.text === "string") parts.push(block.text);
    else if (block.type === "thinking" && typeof block.thinking === "string")
      parts.push(`(thinking)\n${block.thinking}`);
    else if (block.type === "toolCall")
      parts.push(`(calls ${String(block.name)})\n${JSON.stringify(block.arguments, null, 2)}`);
    else if (block.type === "image") parts.push("(an image)");
  }
  return parts.join("\n\n");
}
