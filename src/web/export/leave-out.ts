/** Takes out of an entry what somebody does not want to share. The entry keeps its place and its kind. */
import type { SessionEntry } from "../../entry/index.js";

export interface LeftOut {
  /** `names`: of tools only that they were called and how it went. */
  readonly tools: "full" | "names";
  readonly images: boolean;
  readonly systemPrompt: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const LEFT_OUT = "(left out)";

export function leaveOut(entry: SessionEntry, wish: LeftOut): SessionEntry {
  if (wish.tools === "full" && !wish.images && !wish.systemPrompt) return entry;
  if (entry.type === "custom_message") return { ...entry, content: contentWithout(entry.content, wish) as never };
  const message: unknown = entry.type === "message" ? entry.message : undefined;
  if (!isRecord(message)) return entry;
  return { ...entry, message: messageWithout(message, wish) } as unknown as SessionEntry;
}

function messageWithout(message: Fields, wish: LeftOut): Fields {
  if (message.role === "system" && wish.systemPrompt) return { ...message, content: LEFT_OUT };
  const namesOnly = wish.tools === "names";
  if (message.role === "toolResult" && namesOnly) {
    const { details: _details, ...rest } = message;
    return { ...rest, content: [{ type: "text", text: LEFT_OUT }] };
  }
  if (message.role === "bashExecution" && namesOnly) return { ...message, output: LEFT_OUT };
  return "content" in message ? { ...message, content: contentWithout(message.content, wish) } : message;
}

function contentWithout(content: unknown, { tools, images }: LeftOut): unknown {
  if (!Array.isArray(content)) return content;
  return (content as readonly unknown[]).map((block) => {
    if (!isRecord(block)) return block;
    if (block.type === "toolCall" && tools === "names") return { ...block, arguments: {} };
    return block.type === "image" && images ? { ...block, data: "" } : block;
  });
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
