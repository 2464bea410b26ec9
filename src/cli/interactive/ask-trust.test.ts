import { describe, expect, test } from "vitest";
import { testHost } from "../../tui/host/host.test-support.js";
import { askTrust } from "./ask-trust.js";

const QUESTION = { folder: "/w", brings: ["/w/.bough/extensions/x.ts"] };

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

  test("shows hidden characters in the names of files", async () => {
    const host = testHost({ width: 80 });
    void askTrust(host, { folder: "/w", brings: ["/w/.bough/extensions/a\x1b[31m\u202eb.ts"] });
    await host.settle();
    expect(host.lines).toMatchInlineSnapshot(`
      [
        " This project wants to load its own extensions or permissions: /w",
        "   /w/.bough/extensions/a\\x1b[31m\\u202eb.ts",
        " Extensions run with your full permissions. Load them?",
        " ❯ 1 Enter   not now  ask again next time",
        "   2 Ctrl+Y  yes      always load them here",
        "   3 Ctrl+O  once     only this time",
        "   4 Ctrl+N  never    never load them here",
      ]
    `);
  });
});
