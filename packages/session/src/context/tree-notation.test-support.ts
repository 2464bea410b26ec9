/** Trees for tests, written as drawings. */
import type { AgentMessage, AssistantBlock, SessionEntry, ToolCallBlock } from "../entry/index.js";
import { readDrawing } from "../tree/tree-drawing.test-support.js";

/** The fields of an entry in addition to its ID, parent and time. */
export type Content = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface Drawing {
  readonly entries: SessionEntry[];
  /** The entry marked `*`. */
  readonly leafId: string | null;
}

/**
 * Entries from a drawing: `a-b-c; b-d*` is a chain, a second branch at `b`, and the leaf. A name without content is a
 * user message whose text is its name. Entry number n has the time n seconds after 2025 began.
 */
export function tree(drawing: string, contents: Readonly<Record<string, Content>> = {}): Drawing {
  const { rows, leaf } = readDrawing(drawing);
  const entries = rows.map(({ name, parent }, n) => {
    const { type, ...rest } = contents[name] ?? says(user(name));
    const timestamp = new Date(START + n * 1000).toISOString();
    return { type, id: name, parentId: parent, timestamp, ...rest } as unknown as SessionEntry;
  });
  return { entries, leafId: leaf };
}

export const START = Date.UTC(2025, 0, 1);

export function says(message: unknown): Content {
  return { type: "message", message };
}

export function user(content: string): AgentMessage {
  return { role: "user", content, timestamp: 1 };
}

export function answer(...blocks: readonly (string | AssistantBlock)[]): Extract<AgentMessage, { role: "assistant" }> {
  return {
    role: "assistant",
    content: blocks.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
    api: "test",
    provider: "acme",
    model: "m-1",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    stopReason: "stop",
    timestamp: 7,
  };
}

export function call(id: string, name = "read"): ToolCallBlock {
  return { type: "toolCall", id, name, arguments: { path: id } };
}

export function result(toolCallId: string, text = `result of ${toolCallId}`): AgentMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 9,
  };
}
