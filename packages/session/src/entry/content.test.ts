import { describe, expect, test } from "vitest";
import { contentText, entryText } from "./content.js";
import type { SessionEntry } from "./entry.js";

const message = (fields: object | null) => ({ type: "message", message: fields }) as unknown as SessionEntry;

describe("the text of a content", () => {
  test("is its text blocks and bare strings, one after the other", () => {
    const blocks = [
      { type: "text", text: "one" },
      "two",
      { type: "image", data: "" },
      { type: "thinking", text: "no" },
    ];
    expect(contentText(blocks)).toBe("one\ntwo");
    expect(contentText("alone")).toBe("alone");
  });

  test("is empty for anything without text", () => {
    for (const content of [undefined, null, 7, {}, [], [null, 7, { type: "text", text: 7 }]]) {
      expect(contentText(content)).toBe("");
    }
  });
});

describe("the text of an entry", () => {
  test("is what was said, in each kind of entry", () => {
    const says = (fields: object) => entryText(fields as SessionEntry);
    expect(entryText(message({ role: "user", content: [{ type: "text", text: "go on" }] }))).toBe("go on");
    expect(entryText(message({ role: "branchSummary", summary: "what happened" }))).toBe("what happened");
    expect(says({ type: "compaction", summary: "short" })).toBe("short");
    expect(says({ type: "branch_summary", summary: "left" })).toBe("left");
    expect(says({ type: "custom_message", content: "from an extension" })).toBe("from an extension");
    expect(says({ type: "label", label: "good" })).toBe("");
  });

  test("of a shell command is the command and its output", () => {
    expect(entryText(message({ role: "bashExecution", command: "ls", output: "a\nb" }))).toBe("ls\na\nb");
    expect(entryText(message({ role: "bashExecution", command: "true", output: "" }))).toBe("true");
  });

  test("is empty where a message is none", () => {
    expect([message(null), message({}), message({ content: 7 })].map(entryText)).toEqual(["", "", ""]);
  });
});
