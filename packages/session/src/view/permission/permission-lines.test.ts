import { describe, expect, it } from "vitest";
import { lineText } from "../line.js";
import { type PermissionFacts, permissionLines, permissionTitle } from "./permission-lines.js";

const WRITE: PermissionFacts = { tool: "write", action: "write", shown: "a.txt", warnings: [] };
const screen = (facts: PermissionFacts, width = 40) =>
  [permissionTitle(facts), ...permissionLines(facts, width).map(lineText)].join("\n");

describe("what a change to a file would do", () => {
  it("shows the diff of a file that exists, and says that it does", () => {
    const diff = "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    expect(screen({ ...WRITE, preview: { kind: "change", diff, added: 1, removed: 1 } })).toBe(
      [
        "Change this file?",
        "a.txt",
        "The file exists: 1 line added, 1 removed",
        "@@ -1,2 +1,2 @@",
        "1   one",
        "2 - two",
        "2 + 2",
      ].join("\n"),
    );
  });

  it("wraps long lines and cuts nothing", () => {
    const text = `${"word ".repeat(12)}end\n`;
    expect(screen({ ...WRITE, preview: { kind: "create", text } }, 30)).toBe(
      [
        "Create this file?",
        "a.txt",
        "New file, 1 line",
        "+ word word word word word",
        "  word word word word word",
        "  word word end",
      ].join("\n"),
    );
  });

  it("says that a file that cannot be compared is replaced", () => {
    expect(screen({ ...WRITE, preview: { kind: "replace", text: "new", bytes: 2048 } }, 70)).toBe(
      ["Change this file?", "a.txt", "The file exists (2,048 bytes) and cannot be diffed. New content:", "+ new"].join(
        "\n",
      ),
    );
  });
});

describe("nothing is hidden in a question", () => {
  it("warnings come before the change, and a change shows its hidden characters", () => {
    const facts: PermissionFacts = {
      ...WRITE,
      warnings: ["This change contains hidden characters, shown as \\x1b"],
      preview: { kind: "create", text: "echo \x1b[8mhidden\x1b[0m\r\nend" },
    };
    expect(screen(facts, 60)).toBe(
      [
        "Create this file?",
        "a.txt",
        "! This change contains hidden characters, shown as \\x1b",
        "New file, 2 lines",
        "+ echo \\x1b[8mhidden\\x1b[0m\\r",
        "+ end",
      ].join("\n"),
    );
  });

  it("the name of a tool shows its hidden characters", () => {
    expect(permissionTitle({ tool: "de\u200bploy", action: "use", shown: "{}", warnings: [] })).toBe(
      "Use the tool de\\u200bploy with this input?",
    );
  });
});
