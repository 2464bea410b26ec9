import { expect, test } from "vitest";
import type { ServerTool } from "../../mcp/index.js";
import { NamedCalls } from "./named-calls.js";

const tool: ServerTool = {
  name: "files__read",
  server: "files",
  tool: "read",
  description: "",
  parameters: { type: "object" },
};
const calls = () => new NamedCalls((server, name) => (server === "files" && name === "read" ? tool : "Unknown tool."));

/** What is shown of a call that arrives in pieces of this size. */
function shown(text: string, size: number): { readonly names: string[]; readonly input: string } {
  const named = calls();
  const events = [];
  for (let at = 0; at < text.length; at += size) {
    events.push(named.take({ type: "tool_input", id: "1", name: "mcp_call", delta: text.slice(at, at + size) }));
  }
  const pieces = events.flatMap((event) => (event?.type === "tool_input" ? [event] : []));
  return {
    names: [...new Set(pieces.map(({ name }) => name))],
    input: pieces
      .map(({ delta }) => delta)
      .join("")
      .trim(),
  };
}

test.each([1, 2, 7, 1_000])("a call that arrives in pieces of %i characters is shown as a call of the tool", (size) => {
  const input = '{"path": "a}b", "more": {"deep": [1]}}';
  for (const start of ['{"server":"files","tool":"read","input":', '{ "tool": "read", "server": "files", "input": ']) {
    const { names, input: seen } = shown(`${start}${input}}`, size);
    expect([names, seen]).toEqual([["files__read"], input.slice(0, seen.length)]);
    expect(input.length - seen.length).toBeLessThanOrEqual(2);
  }
});

test.each([
  '{"input":{"path":"a"},"server":"files","tool":"read"}',
  '{"server":"files","tool":"gone","input":{}}',
  '{"server":"files","server":"read","input":{}}',
  "not JSON",
])("a call whose tool cannot be read yet is not shown: %s", (text) => {
  expect(shown(text, 3)).toEqual({ names: [], input: "" });
});

test("the complete call and the message have the tool's name, and what the model called", () => {
  const call = { type: "toolCall", id: "1", name: "mcp_call" } as const;
  const good = { ...call, arguments: { server: "files", tool: "read", input: { path: "a" } } };
  expect(calls().take({ type: "tool_call", call: good })).toEqual({
    type: "tool_call",
    call: { ...call, name: "files__read", arguments: { path: "a" }, mcp: { server: "files", tool: "read" } },
  });
  for (const args of [
    {},
    { server: "files" },
    { server: "files", tool: "gone", input: {} },
    { ...good.arguments, x: 1 },
  ]) {
    const bad = { ...call, arguments: args };
    expect(calls().take({ type: "tool_call", call: bad })).toEqual({ type: "tool_call", call: bad });
  }
});
