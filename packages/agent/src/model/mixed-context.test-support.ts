/**
 * A recorded session with everything that makes replay hard: thinking of other providers, images, an open tool call.
 */
import type { AgentMessage, AssistantBlock, AssistantMessage } from "@bough/session/entry/index.js";
import type { ModelRequest, OfferedTool } from "./language-model.js";

export const IMAGE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;

export const READ_TOOL: OfferedTool = {
  name: "read",
  description: "Reads a file.",
  parameters: {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
    additionalProperties: false,
  },
};

export function answer(content: readonly AssistantBlock[], change: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "other-api",
    provider: "elsewhere",
    model: "some-model",
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    stopReason: "stop",
    timestamp: 2,
    ...change,
  };
}

export const MIXED_CONTEXT: readonly AgentMessage[] = [
  { role: "compactionSummary", summary: "We began.", tokensBefore: 9000, timestamp: 0 },
  { role: "user", content: [{ type: "text", text: "What is in this picture?" }, IMAGE], timestamp: 1 },
  answer(
    [
      { type: "thinking", thinking: "A tree, I believe.", thinkingSignature: "of another provider" },
      { type: "text", text: "A tree.", textSignature: "of another provider" },
      // An ID that is not valid for every provider.
      {
        type: "toolCall",
        id: "call_1|fc_1",
        name: "read",
        arguments: { path: "tree.png" },
        thoughtSignature: "foreign",
      },
      { type: "toolCall", id: "call_2|fc_2", name: "read", arguments: { path: "gone.txt" } },
    ],
    { stopReason: "toolUse" },
  ),
  {
    role: "toolResult",
    toolCallId: "call_1|fc_1",
    toolName: "read",
    content: [{ type: "text", text: "the picture" }, IMAGE],
    isError: false,
    timestamp: 3,
  },
  {
    role: "toolResult",
    toolCallId: "call_2|fc_2",
    toolName: "read",
    content: [{ type: "text", text: "no such file" }],
    isError: true,
    timestamp: 4,
  },
  // Killed here: the call has no result.
  answer([{ type: "toolCall", id: "open", name: "read", arguments: { path: "a.txt" } }], { stopReason: "aborted" }),
  { role: "user", content: "Go on, please. \uD83D", timestamp: 5 },
];

export const MIXED_REQUEST: ModelRequest = {
  system: "You are helpful.",
  messages: MIXED_CONTEXT,
  tools: [READ_TOOL],
  thinkingLevel: "medium",
};
