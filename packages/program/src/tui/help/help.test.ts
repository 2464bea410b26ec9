import { describe, expect, test } from "vitest";
import { testHost } from "../host/host.test-support.js";
import { ALL_KEYS } from "../keys/all-keys.js";
import { keyHint } from "../keys/key-names.js";
import { showCommandHelp, showHelp } from "./show-help.js";

describe("help", () => {
  test("lists every key of every scope, each with what it does", () => {
    for (const { id, actions } of ALL_KEYS) {
      const host = testHost({ width: 120, height: 400 });
      void showHelp(host, { scope: id });
      const { screen } = host;
      for (const action of actions) {
        for (const key of action.keys) expect(screen).toContain(keyHint(key));
        expect(screen.replace(/\s+/g, " ")).toContain(action.help);
      }
    }
  });

  test("says why a key is off", () => {
    const host = testHost({ width: 80, height: 20 });
    void showHelp(host, {
      scope: "question",
      disabledReason: (id) => (id === "question.more" ? "There is nothing more." : undefined),
    });
    expect(host.screen).toMatchInlineSnapshot(`
      " Keys                                                                         0%
       / type to search
       Questions
        Enter                       submit the answer
        Shift+Enter, Alt+Enter, Ctrl+J
                                    insert a newline, if the answer may be multi-line
        Esc, Ctrl+C                 cancel
        Ctrl+S                      allow it for this session, if offered
        Ctrl+P                      always allow it in this project, if offered
        Ctrl+G                      always allow it in every project, if offered
        Up                          mark the answer above
        Down                        mark the answer below; its number answers too
        Tab                         answer a question that came up while you were
                                    typing
        PgDn                        scroll down in the question
                                    ✕ There is nothing more.
        PgUp                        scroll up in the question

       Everywhere
       PgDn more   Esc close"
    `);
  });

  test("is searched by typing; Esc clears, then closes", async () => {
    const host = testHost({ width: 60, height: 8 });
    const closed = showHelp(host);
    host.type("$VISUAL");
    expect(host.lines.slice(0, 4)).toEqual([
      " Keys",
      " / $VISUAL",
      " Conversation",
      "  Ctrl+G  edit the prompt in $VISUAL or $EDITOR",
    ]);
    host.press("esc");
    expect(host.lines[1]).toBe(" / type to search");
    host.press("esc");
    await closed;
    expect(host.top).toBeUndefined();
  });

  test("of one command says all about it", () => {
    const host = testHost({ width: 40, height: 9 });
    void showCommandHelp(host, {
      name: "quit",
      group: "program",
      usage: "[now]",
      summary: "Leave Bough",
      details: "Stops what is running.",
      aliases: ["exit"],
      available: false,
      reason: "It is not the time.",
    });
    expect(host.lines).toEqual([
      " Help",
      " / type to search",
      " /quit [now]",
      " Leave Bough.",
      " Stops what is running.",
      " Also: /exit",
      " Unavailable: It is not the time.",
      "",
      " Esc close",
    ]);
  });

  test("shows commands with their reasons, down to 20 columns", () => {
    const command = {
      name: "undo",
      group: "tree",
      usage: "",
      summary: "go back to before the last move",
      details: "",
    } as const;
    const listed = { ...command, aliases: [], available: false, reason: "No move to undo in this session." };
    const screens = [80, 40, 20].map((width) => {
      const host = testHost({ width, height: 9 });
      void showHelp(host, { commands: [{ title: "Tree", commands: [listed] }] });
      return host.screen;
    });
    expect(screens.join("\n\n")).toMatchInlineSnapshot(`
      " Help                                                                         0%
       / type to search
       Tree
        /undo                       go back to before the last move
                                    ✕ No move to undo in this session.

       Conversation
        Enter                       send; while the agent works, delivered after the
       PgDn more   Esc close

       Help                                 0%
       / type to search
       Tree
        /undo
          go back to before the last move
          ✕ No move to undo in this session.

       Conversation
       PgDn more  Esc close

       Help             0%
       / type to search
       Tree
        /undo
          go back to
          before the last
          move
          ✕ No move to
       Esc close"
    `);
  });

  test("is scrolled to its end and no further", () => {
    const host = testHost({ width: 60, height: 10 });
    void showHelp(host);
    host.press("end");
    expect(host.lines.at(-2)).toContain("redraw the screen");
    host.press("pagedown");
    expect(host.lines.at(-2)).toContain("redraw the screen");
  });
});
