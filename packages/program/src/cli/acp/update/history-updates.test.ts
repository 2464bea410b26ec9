import type { AgentMessage, SessionEntry } from "@bough/session/entry/index.js";
import { expect, test } from "vitest";
import { historyUpdates } from "./history-updates.js";

function entries(...messages: readonly object[]): SessionEntry[] {
  return messages.map((message, at) => ({
    type: "message",
    id: `e${at}`,
    parentId: at === 0 ? null : `e${at - 1}`,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { timestamp: 0, ...message } as unknown as AgentMessage,
  })) as unknown as SessionEntry[];
}

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function calling(id: string, name: string, args: object) {
  return {
    role: "assistant",
    usage,
    stopReason: "toolUse",
    content: [{ type: "toolCall", id, name, arguments: args }],
  };
}

test("a todo list is the plan, and invalid items are dropped", () => {
  const items = [
    { text: "read", status: "done" },
    { text: "write", status: "in_progress" },
    { text: "test", status: "pending" },
    { text: "odd", status: "constructor" },
    "nonsense",
  ];
  const path = entries(calling("c", "todo", { items }), {
    role: "toolResult",
    toolCallId: "c",
    toolName: "todo",
    content: [],
    details: { items },
    isError: false,
  });
  expect([...historyUpdates(path, { cwd: "/work" })].at(-1)).toEqual({
    sessionUpdate: "plan",
    entries: [
      { content: "read", priority: "medium", status: "completed" },
      { content: "write", priority: "medium", status: "in_progress" },
      { content: "test", priority: "medium", status: "pending" },
    ],
  });
});

test("a call without a result is failed, before the next prompt and at the end", () => {
  const path = entries(
    { role: "user", content: "go" },
    calling("a", "read", { path: "x.ts", offset: 3 }),
    { role: "user", content: "again" },
    calling("b", "bash", { command: "make" }),
  );
  expect(
    [...historyUpdates(path, { cwd: "/work" })].map((update) => [
      update.sessionUpdate,
      "status" in update && update.status,
    ]),
  ).toEqual([
    ["user_message_chunk", false],
    ["tool_call", "in_progress"],
    ["tool_call_update", "failed"],
    ["user_message_chunk", false],
    ["tool_call", "in_progress"],
    ["tool_call_update", "failed"],
  ]);
});

test("messages that other programs wrote in odd ways do not stop a load", () => {
  const path = entries(
    { role: "user", content: 5 },
    { role: "user", content: [null, { type: "text", text: "x" }, { type: "weather" }] },
    { role: "assistant", content: "not blocks" },
    { role: "nonsense" },
    { role: "toolResult", toolCallId: "unknown", toolName: "read", content: [], isError: true },
  );
  expect([...historyUpdates(path, { cwd: "/work" })].map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    "user_message_chunk",
    "tool_call_update",
  ]);
});
