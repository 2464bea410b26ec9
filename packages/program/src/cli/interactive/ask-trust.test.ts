import { describe, expect, test } from "vitest";
import { testHost } from "../../tui/host/host.test-support.js";
import { askTrust } from "./ask-trust.js";

const QUESTION = { folder: "/w", extensions: ["/w/.bough/extensions/x.ts"], settings: [] };

describe("the question whether a project is trusted", () => {
  test("is not answered by what a person types before reading it", async () => {
    const host = testHost({ width: 80 });
    let answer: unknown = "none yet";
    const asked = askTrust(host, QUESTION).then((given) => {
      answer = given;
    });
    await host.settle();
    host.advance(2000);
    for (const letter of "yes, now or never") host.type(letter);
    await host.settle();
    expect([answer, host.top?.name]).toEqual(["none yet", "trust"]);
    host.press("enter");
    await asked;
    expect(answer).toBe("not-now");
  });

  test.each([
    ["ctrl+y", "yes"],
    ["ctrl+o", "once"],
    ["ctrl+n", "no"],
    ["esc", "not-now"],
  ])("%s answers %s", async (key, answer) => {
    const host = testHost({ width: 80 });
    const asked = askTrust(host, QUESTION);
    await host.settle();
    host.press(key);
    expect(await asked).toBe(answer);
  });

  test.each([
    [[], ["permissions"], "permission rules", "Use them?"],
    [[], ["mcpServers", "permissions"], "permission rules and settings", "Use them?"],
    [["x.ts"], ["permissions"], "extensions and permission rules", "Extensions run with your full permissions."],
  ])("names only what exists: %j, %j", async (extensions, fields, words, last) => {
    const host = testHost({ width: 80 });
    const settings = fields.map((field) => ({ file: "/w/.bough/settings.json", field }));
    void askTrust(host, { folder: "/w", extensions, settings });
    await host.settle();
    expect(host.screen).toContain(`This project brings ${words}: /w`);
    expect(host.screen).toContain(last);
    expect(host.screen.includes("Extensions run")).toBe(extensions.length > 0);
  });

  test("names agents, which are instructions for the model", async () => {
    const host = testHost({ width: 80 });
    const agents = ["/w/.claude/agents/reviewer.md"];
    void askTrust(host, { folder: "/w", extensions: [], settings: [], agents });
    await host.settle();
    expect(host.lines.slice(0, 3)).toEqual([
      " This project brings agents: /w",
      "   /w/.claude/agents/reviewer.md",
      " Use them?",
    ]);
  });

  test("shows hidden characters in the names of files", async () => {
    const host = testHost({ width: 80 });
    void askTrust(host, { folder: "/w", extensions: ["/w/.bough/extensions/a\x1b[31m\u202eb.ts"], settings: [] });
    await host.settle();
    expect(host.lines).toMatchInlineSnapshot(`
      [
        " This project brings extensions: /w",
        "   /w/.bough/extensions/a\\x1b[31m\\u202eb.ts",
        " Extensions run with your full permissions. Load them?",
        " ❯ 1 Enter   not now  ask again next time",
        "   2 Ctrl+Y  yes      always use them here",
        "   3 Ctrl+O  once     only this time",
        "   4 Ctrl+N  never    never use them here",
      ]
    `);
  });
});
