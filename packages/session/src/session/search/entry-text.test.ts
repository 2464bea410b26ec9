import { describe, expect, test } from "vitest";
import type { SessionEntry } from "../../entry/index.js";
import { entryText } from "./entry-text.js";

const place = { id: "the-id", parentId: "the-parent", timestamp: "the-time" };

function text(fields: Readonly<Record<string, unknown>>): string {
  const line = JSON.stringify({ ...place, ...fields });
  return entryText(JSON.parse(line) as SessionEntry, line);
}

function ofMessage(message: unknown): string {
  return text({ type: "message", message });
}

describe("the text of a message", () => {
  test.each<[string, unknown, string]>([
    ["a user", { role: "user", content: "hello" }, "hello"],
    [
      "blocks with an image",
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
          { type: "text", text: "two" },
        ],
      },
      "one\ntwo",
    ],
    [
      "an assistant",
      {
        role: "assistant",
        model: "some-model",
        content: [
          { type: "thinking", thinking: "hm", thinkingSignature: "xyz" },
          { type: "text", text: "yes" },
          {
            type: "toolCall",
            id: "call-1",
            name: "edit",
            arguments: { path: "a.ts", edits: [{ old: "x", line: 12, all: true, none: null }], ratio: 0.5 },
          },
        ],
        errorMessage: "overloaded",
      },
      "hm\nyes\nedit\na.ts\nx\n12\ntrue\n0.5\noverloaded",
    ],
    [
      "a result",
      {
        role: "toolResult",
        toolCallId: "call-1",
        toolName: "edit",
        content: [{ type: "text", text: "done" }],
        details: { diff: "not shown" },
      },
      "done",
    ],
    ["a shell run", { role: "bashExecution", command: "ls", output: "a\nb", exitCode: 7 }, "ls\na\nb"],
    ["a Python run", { role: "pythonExecution", code: "print(1)", output: "1" }, "print(1)\n1"],
    ["a mentioned file", { role: "fileMention", files: [{ path: "a.md", content: "text" }, null] }, "a.md\ntext"],
    ["a summary", { role: "branchSummary", summary: "went well", fromId: "x" }, "went well"],
    ["nothing readable", { role: "user", content: [7, null, { text: 5 }] }, ""],
    ["no message", null, ""],
  ])("of %s", (_name, message, expected) => {
    expect(ofMessage(message)).toBe(expected);
  });

  test("skips a number that the line has in another notation", () => {
    const line = `{"type":"message","id":"a","message":{"role":"assistant","content":[{"type":"toolCall","name":"t","arguments":{"a":1e3,"b":20,"c":3.0}}]}}`;
    expect(entryText(JSON.parse(line) as SessionEntry, line)).toBe("t\n20");
  });

  test("walks arguments that are nested ten thousand deep", () => {
    const depth = 10_000;
    const args = `${'{"a":'.repeat(depth)}"deep"${"}".repeat(depth)}`;
    const line = `{"type":"message","message":{"content":[{"type":"toolCall","name":"t","arguments":${args}}]}}`;
    expect(entryText(JSON.parse(line) as SessionEntry, line)).toBe("t\ndeep");
  });
});

describe("the text of other entries", () => {
  test.each<[Readonly<Record<string, unknown>>, string]>([
    [{ type: "compaction", summary: "so far", firstKeptEntryId: "k" }, "so far"],
    [{ type: "branch_summary", summary: "left", fromId: "f" }, "left"],
    [{ type: "custom_message", customType: "c", content: [{ type: "text", text: "hi" }] }, "hi"],
    [{ type: "context_edit", targetId: "t", replacement: "new words" }, "new words"],
    [{ type: "context_edit", targetId: "t", replacement: { content: "pi's words" } }, "pi's words"],
    [{ type: "context_edit", targetId: "t", replacement: null }, ""],
    [{ type: "label", targetId: "t", label: "good one" }, "good one"],
    [{ type: "session_info", name: "Parser" }, "Parser"],
    [{ type: "title_change", title: "Lexer" }, "Lexer"],
    [{ type: "custom", customType: "state", data: "hidden" }, ""],
    [{ type: "model_change", provider: "p", modelId: "m" }, ""],
    [{ type: "from_the_future", content: "?" }, ""],
  ])("%j: %j", (fields, expected) => {
    expect(text(fields)).toBe(expected);
  });
});
