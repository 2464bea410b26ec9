import { expect, test } from "vitest";
import type { AgentMessage } from "../entry/index.js";
import { toModelInput } from "./model-input.js";

const call = (id: string, extra: object = {}) => ({
  type: "toolCall",
  id,
  name: "files__read",
  arguments: { path: "a" },
  ...extra,
});
const asks = (content: readonly unknown[], provider: string) =>
  ({ role: "assistant", content, provider, model: "m", stopReason: "toolUse" }) as unknown as AgentMessage;
const answers = (toolCallId: string) =>
  ({
    role: "toolResult",
    toolCallId,
    toolName: "files__read",
    content: [{ type: "text", text: "A" }],
  }) as unknown as AgentMessage;

test.each(["own", "other"])("a call made with mcp_call is sent as it was made, to the %s provider", (provider) => {
  const through = { mcp: { server: "files", tool: "read" } };
  const messages = [asks([call("1", through), call("2")], "own"), answers("1"), answers("2"), asks([call("1")], "own")];
  const input = toModelInput(messages, { provider });
  const names = input.map((message) =>
    message.role === "assistant"
      ? message.content.map((block) => (block.type === "toolCall" ? [block.name, block.arguments] : block))
      : message.role === "toolResult" && message.toolName,
  );
  expect(names).toEqual([
    [
      ["mcp_call", { server: "files", tool: "read", input: { path: "a" } }],
      ["files__read", { path: "a" }],
    ],
    "mcp_call",
    "files__read",
    [["files__read", { path: "a" }]],
    "files__read",
  ]);
  expect(JSON.stringify(input)).not.toContain('"mcp":');
});

test.each([[{}], [null], ["x"], [{ server: 1, tool: "x" }], [{ server: "", tool: "x" }]])(
  "a damaged mark %j is ignored",
  (mcp) => {
    const [answer] = toModelInput([asks([call("1", { mcp })], "other")], { provider: "own" });
    expect(answer?.content).toEqual([{ type: "toolCall", id: "1", name: "files__read", arguments: { path: "a" } }]);
  },
);
