import type {
  AgentMessage,
  AssistantBlock,
  AssistantMessage,
  ToolCallBlock,
  UserMessage,
} from "@bough/session/entry/index.js";

export function user(content: string): UserMessage {
  return { role: "user", content, timestamp: 1 };
}

export function assistant(...blocks: readonly (string | AssistantBlock)[]): AssistantMessage {
  return {
    role: "assistant",
    content: blocks.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
    api: "test",
    provider: "acme",
    model: "m-1",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    stopReason: "stop",
    timestamp: 2,
  };
}

export function toolCall(id: string): ToolCallBlock {
  return { type: "toolCall", id, name: "read", arguments: { path: id } };
}

export function toolResult(toolCallId: string): AgentMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text: `result of ${toolCallId}` }],
    isError: false,
    timestamp: 3,
  };
}
