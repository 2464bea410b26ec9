import { describe, expect, test } from "vitest";
import type { PermissionRequest } from "../../tool/index.js";
import { testDesk } from "../desk/desk.test-support.js";
import { askPermission } from "./ask-permission.js";

const RUN: PermissionRequest = { tool: "bash", action: "run", target: "npm test" };
const EDIT: PermissionRequest = { tool: "edit", action: "write", target: "src/lex.ts" };

describe("the question of a tool", () => {
  test("says who wants what, and how far a yes goes", () => {
    const screens = [RUN, EDIT, { ...EDIT, target: "/etc/hosts" }].map((request) => {
      const desk = testDesk({ width: 80 });
      void askPermission(desk, { cwd: "/project" })(request);
      return desk.screen;
    });
    expect(screens.join("\n\n")).toMatchInlineSnapshot(`
      " bash wants to run
         npm test
         Enter  yes, this once
         a      yes, and do not ask again  every command of bash in this session
         n      no
         w      no, and say why

       edit wants to write
         src/lex.ts
         Enter  yes, this once
         a      yes, and do not ask again  edit may change every file in the working …
         n      no
         w      no, and say why

       edit wants to write
         /etc/hosts
         Enter  yes, this once
         a      yes, and do not ask again  edit may change everything in /etc
         n      no
         w      no, and say why"
    `);
  });

  test.each([
    ["enter", "once"],
    ["y", "once"],
    ["a", "session"],
    ["n", "no"],
    ["esc", "no"],
  ])("%s answers %s", async (key, answer) => {
    const desk = testDesk();
    const asked = askPermission(desk, { cwd: "/project" })(RUN);
    desk.press(key);
    expect(await asked).toBe(answer);
  });

  test("a no may come with a reason, which goes to the agent", async () => {
    const desk = testDesk();
    const reasons: string[] = [];
    const asked = askPermission(desk, { cwd: "/project", onReason: (text) => reasons.push(text) })(RUN);
    desk.press("w");
    await desk.settle();
    desk.type("use pnpm");
    desk.press("enter");
    expect([await asked, reasons]).toEqual(["no", ["use pnpm"]]);
  });

  test("shows what an edit changes, and scrolls through it", () => {
    const desk = testDesk({ width: 50, height: 8 });
    const edits = [{ oldText: "a\nb\x1b[2J\nc", newText: "A\nB\nC" }];
    void askPermission(desk, { cwd: "/project", inputOf: () => ({ path: "src/lex.ts", edits }) })(EDIT);
    expect(desk.lines.slice(0, 4)).toEqual([
      " edit wants to write",
      "   src/lex.ts",
      "   @@",
      "   1-2 of 8 lines   PgDn PgUp scroll",
    ]);
    desk.press("pagedown");
    expect(desk.lines.slice(1, 4)).toEqual(["   + A", "   + B", "   6-7 of 8 lines   PgDn PgUp scroll"]);
    desk.press("pagedown");
    expect(desk.lines.slice(1, 3)).toEqual(["   + B", "   + C"]);
  });

  test("keys of somebody who is writing are no answer until there is a pause, and are not lost", async () => {
    const desk = testDesk({ editorText: "half a sent" });
    const typedAt = desk.now() - 100;
    const stray: string[] = [];
    const asked = askPermission(desk, {
      cwd: "/project",
      lastKeyAt: () => typedAt,
      onStray: ({ name }) => void stray.push(name),
    })(RUN);
    desk.press("y");
    desk.advance(200);
    desk.press("a", "enter");
    expect(desk.top?.name).toBe("permission");
    desk.advance(500);
    desk.press("n");
    expect([await asked, stray]).toEqual(["no", ["y", "a"]]);
  });

  test("who has nothing in the editor is heard after a breath, so that a word begun in that moment permits nothing", async () => {
    const desk = testDesk();
    const typedAt = desk.now();
    const asked = askPermission(desk, { cwd: "/project", lastKeyAt: () => typedAt })(RUN);
    desk.press("a", "n", "d");
    expect(desk.top?.name).toBe("permission");
    desk.advance(500);
    desk.press("y");
    expect(await asked).toBe("once");
  });

  test("neutralises what a command would do to the terminal", () => {
    const desk = testDesk({ width: 60 });
    void askPermission(desk, { cwd: "/project" })({ ...RUN, target: "echo \x1b]0;owned\x07 \u202e fine\nrm -r ." });
    expect(desk.lines.slice(1, 3)).toEqual(["   echo   fine", "   rm -r ."]);
  });

  test("a command that is too long for the window can be read to its end", () => {
    const desk = testDesk({ width: 40, height: 8 });
    const target = Array.from({ length: 9 }, (_, line) => `line ${line}`).join("\n");
    void askPermission(desk, { cwd: "/project" })({ ...RUN, target });
    expect(desk.lines.slice(1, 4)).toEqual(["   line 0", "   line 1", "   1-2 of 9 lines   PgDn PgUp scroll"]);
    desk.press("pagedown", "pagedown");
    expect(desk.lines.slice(1)).toEqual([
      "   line 7",
      "   line 8",
      "   8-9 of 9 lines   PgDn PgUp scroll",
      "   Enter  yes, this once",
      "   a      yes, and do not ask again",
      "   n      no",
      "   w      no, and say why",
    ]);
  });
});
