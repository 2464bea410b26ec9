import { describe, expect, it } from "vitest";
import type { AgentMessage } from "../entry/index.js";
import { INTERRUPTED_RESULT, type ModelInputMessage, toModelInput } from "./index.js";
import { answer, call, result, user } from "./tree-notation.test-support.js";

const input = (...messages: unknown[]): ModelInputMessage[] =>
  toModelInput(messages as AgentMessage[], { provider: "acme", model: "m-1" });
const foreign = (...messages: unknown[]): ModelInputMessage[] =>
  toModelInput(messages as AgentMessage[], { provider: "other" });
const text = (value: string) => ({ type: "text", text: value });
const saidByUser = (...blocks: unknown[]) => ({ role: "user", content: blocks });

describe("what speaks in the user's role", () => {
  it("users, extensions and notes to the model, without anything but their content", () => {
    expect(
      input(
        user("hello"),
        { role: "custom", customType: "x", content: [text("note")], display: false, details: {}, timestamp: 1 },
        { role: "system", content: "be brief", toolsAdded: ["x"] },
        { role: "developer", content: "be kind" },
      ),
    ).toEqual(["hello", "note", "be brief", "be kind"].map((line) => saidByUser(text(line))));
  });

  it("summaries, under a fixed preamble", () => {
    expect(
      input(
        { role: "compactionSummary", summary: "all before", tokensBefore: 1, timestamp: 1 },
        { role: "branchSummary", summary: "tried", fromId: "x", timestamp: 1 },
        { role: "compactionSummary", summary: "", tokensBefore: 1, timestamp: 1 },
      ),
    ).toEqual([
      saidByUser(
        text(
          "The following is a summary of the earlier part of this conversation, which is no longer shown:\n\n<summary>\nall before\n</summary>",
        ),
      ),
      saidByUser(
        text(
          "The following is a summary of a branch that this conversation came back from:\n\n<summary>\ntried\n</summary>",
        ),
      ),
    ]);
  });

  it("commands, with how they ended", () => {
    const run = {
      role: "bashExecution",
      command: "ls",
      output: "a\nb",
      exitCode: 0,
      cancelled: false,
      truncated: false,
    };
    expect(
      input(
        run,
        { ...run, output: "", exitCode: null, cancelled: true },
        { ...run, exitCode: 2, truncated: true, fullOutputPath: "/tmp/out" },
        { ...run, excludeFromContext: true },
        { role: "pythonExecution", code: "1/0", output: "ZeroDivisionError", exitCode: 1, truncated: true },
      ),
    ).toEqual(
      [
        "The user ran this shell command:\n\n<command>\nls\n</command>\n\n<output>\na\nb\n</output>\n\nExit code: 0",
        "The user ran this shell command:\n\n<command>\nls\n</command>\n\nIt printed nothing.\n\nIt was cancelled.",
        "The user ran this shell command:\n\n<command>\nls\n</command>\n\n<output>\na\nb\n</output>\n\nExit code: 2\n\nThe output was cut. All of it is in /tmp/out",
        "The user ran this Python code:\n\n<code>\n1/0\n</code>\n\n<output>\nZeroDivisionError\n</output>\n\nExit code: 1\n\nThe output was cut.",
      ].map((line) => saidByUser(text(line))),
    );
  });

  it("mentioned files", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    expect(
      input({ role: "fileMention", files: [{ path: "a.ts", content: "let a" }, null, { path: "b", image }] }),
    ).toEqual([
      saidByUser(
        text('The user mentioned this file:\n\n<file path="a.ts">\nlet a\n</file>'),
        text('The user mentioned this file:\n\n<file path="b">\n\n</file>'),
        image,
      ),
    ]);
  });

  it("nothing where there is nothing to say, or where the role is not known", () => {
    expect(input(user(" \n"), { role: "fileMention" }, { role: "todo", content: "x" }, null, "odd")).toEqual([]);
  });

  it("images, or a note where their data is kept elsewhere", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png", detail: "low" };
    const note = text("[There was an image here. Its data is stored outside the session and is not available.]");
    const blob = { ...image, data: `blob:sha256:${"0".repeat(64)}` };
    expect(
      input({ role: "user", content: [image, blob] }, answer(call("1")), { ...result("1"), content: [blob] }),
    ).toEqual([
      saidByUser({ type: "image", data: "aGk=", mimeType: "image/png" }, note),
      { role: "assistant", content: [call("1")] },
      { role: "toolResult", toolCallId: "1", toolName: "read", content: [note], isError: false },
    ]);
  });
});

describe("provider-bound data", () => {
  const bound = {
    ...answer(),
    content: [
      { type: "thinking", thinking: "because", thinkingSignature: "sig" },
      { type: "thinking", thinking: "", thinkingSignature: "enc", redacted: true },
      { type: "redactedThinking", data: "enc2" },
      { type: "text", text: "hi", textSignature: "sig" },
      { type: "serverTool", id: "x" },
      { ...call("1"), thoughtSignature: "sig", partialJson: "{" },
    ],
    providerPayload: { items: [1] },
  };
  const stripped = [
    { role: "assistant", content: [text("because"), text("hi"), call("1")] },
    { role: "toolResult", toolCallId: "1", toolName: "read", content: [text("result of 1")], isError: false },
  ];

  it("goes back to the provider that made it", () => {
    expect(input(bound, result("1"))).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "because", thinkingSignature: "sig" },
          { type: "thinking", thinking: "", thinkingSignature: "enc", redacted: true },
          { type: "thinking", thinking: "", thinkingSignature: "enc2", redacted: true },
          { type: "text", text: "hi", textSignature: "sig" },
          { type: "provider", data: { type: "serverTool", id: "x" } },
          { ...call("1"), thoughtSignature: "sig" },
        ],
        providerPayload: { items: [1] },
      },
      stripped[1],
    ]);
  });

  it("never goes to another provider: thinking becomes text, the rest is dropped", () => {
    expect(foreign(bound, result("1"))).toEqual(stripped);
  });

  it("never goes to another model of the provider where the model is named", () => {
    const messages = [bound, result("1")] as AgentMessage[];
    expect(toModelInput(messages, { provider: "acme", model: "m-2" })).toEqual(stripped);
    expect(toModelInput(messages, { provider: "acme" })).toEqual(input(bound, result("1")));
  });

  it.each(["error", "aborted"])("of an answer that ended with %s is never sent", (stopReason) => {
    expect(input({ ...bound, stopReason }, result("1"))).toEqual(stripped);
  });
});

describe("validity", () => {
  it("leaves out answers without content", () => {
    const empty = { ...answer(), stopReason: "aborted", errorMessage: "stopped" };
    expect(input(user("a"), empty, answer(" "), foreignThinking(), user("b"))).toEqual([
      saidByUser(text("a")),
      saidByUser(text("b")),
    ]);
    function foreignThinking(): unknown {
      return { ...answer(), provider: "x", content: [{ type: "thinking", thinking: "?", redacted: true }] };
    }
  });

  it("pairs what was not paired", () => {
    expect(input(result("0"), answer(call("1")), user("b"))).toEqual([
      { role: "assistant", content: [call("1")] },
      { role: "toolResult", toolCallId: "1", toolName: "read", content: [text(INTERRUPTED_RESULT)], isError: true },
      saidByUser(text("b")),
    ]);
  });

  it("gives calls with a used id one of their own, and their results with them", () => {
    const ids = foreign(
      ...[answer(call("1")), result("1"), answer(call("1_2")), result("1_2")],
      ...[answer(call("1"), call("2")), result("2"), answer(call("1"))],
    ).map((message) =>
      message.role === "assistant"
        ? message.content.map((block) => (block.type === "toolCall" ? block.id : block.type)).join()
        : message.role === "toolResult" && message.toolCallId,
    );
    expect(ids).toEqual(["1", "1", "1_2", "1_2", "1_3,2", "1_3", "2", "1_4", "1_4"]);
  });

  it("starts a longer conversation with the bytes of the shorter one", () => {
    const messages = [
      user("a"),
      answer("x", call("1")),
      result("1"),
      user("b"),
      answer(call("1")),
      result("1"),
      user("c"),
    ];
    const whole = JSON.stringify(input(...messages)).slice(0, -1);
    for (const length of [1, 3, 4, 6, 7]) {
      expect(whole.startsWith(JSON.stringify(input(...messages.slice(0, length))).slice(0, -1))).toBe(true);
    }
  });
});
