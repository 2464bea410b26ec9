import { span } from "@bough/session/view/index.js";
import { describe, expect, test } from "vitest";
import { terminalUi } from "../extension/terminal-ui.js";
import { testHost } from "../host/host.test-support.js";
import { askChoice } from "./ask-choice.js";
import { askConfirm } from "./ask-confirm.js";
import { askLongText } from "./ask-long-text.js";
import { askPresence } from "./ask-presence.js";
import { askSelect } from "./ask-select.js";
import { askText } from "./ask-text.js";
import { withProgress } from "./with-progress.js";

test("a confirmation of an extension hides nothing of a command", () => {
  const host = testHost({ width: 60 });
  void askConfirm(host, { title: "Run this command?", message: "echo ok\x1b]0;; rm -r .\x07" });
  expect(host.lines.slice(0, 2)).toEqual([" Run this command?", " echo ok\\x1b]0;; rm -r .\\x07"]);
});

test("a confirmation of an extension is not answered by what you are typing", async () => {
  const host = testHost({ editorText: "half a sent" });
  const onStray = ({ text }: { readonly text?: string | undefined }) =>
    host.setEditorText(host.editorText() + (text ?? ""));
  const answered = terminalUi(host, { onStray }).confirm("Run this command?", "rm -r build");
  await host.settle();
  host.advance(2000);
  host.type("y");
  expect([host.editorText(), host.top?.name]).toEqual(["half a senty", "confirm"]);
  host.press("tab", "n");
  expect(await answered).toBe(false);
});

describe("a choice with one key for each answer", () => {
  const question = {
    lines: [[span(" Bring a summary?")]],
    choices: [
      { keys: ["enter"], answer: "no", label: "no", detail: "go now" },
      { keys: ["s"], answer: "yes", label: "yes", detail: "about 600 tokens" },
    ],
    cancel: "stay",
  };

  test("shows the keys, what they mean and what comes of it", () => {
    const host = testHost({ width: 40 });
    void askChoice(host, question);
    expect(host.screen).toBe(
      [" Bring a summary?", " ❯ 1 Enter  no   go now", "   2 s      yes  about 600 tokens"].join("\n"),
    );
  });

  test.each([
    ["enter", "no"],
    ["s", "yes"],
    ["esc", "stay"],
    ["ctrl+c", "stay"],
  ])("%s answers %s", async (key, expected) => {
    const host = testHost();
    const answer = askChoice(host, question);
    host.press(key);
    expect([await answer, host.top]).toEqual([expected, undefined]);
  });

  test("a letter that is not an answer is swallowed, and keys of everywhere are not", () => {
    const host = testHost();
    void askChoice(host, question);
    expect([host.press("x"), host.press("f1"), host.top?.name]).toEqual([true, false, "choice"]);
  });

  test("a question that is closed is cancelled", async () => {
    const host = testHost();
    const answer = askChoice(host, question);
    host.closeAll();
    expect(await answer).toBe("stay");
  });

  test("keeps the answers where the window is too low for the question", () => {
    const host = testHost({ height: 2, width: 20 });
    void askChoice(host, question);
    expect(host.lines).toEqual([" ❯ 1 Enter  no", "   2 s      yes"]);
  });
});

describe("a line of text", () => {
  test("is edited, checked and given", async () => {
    const host = testHost({ width: 30 });
    const answer = askText(host, {
      title: "Name",
      text: "lexr",
      check: (text) => (text === "lexer" ? undefined : "That is no word."),
    });
    expect([host.screen, host.cursor]).toEqual([
      [" Name", " > lexr", " Enter answer  Esc cancel"].join("\n"),
      { row: 1, column: 7 },
    ]);
    host.press("enter");
    expect(host.lines[2]).toBe(" ✕ That is no word.");
    host.press("left", "e", "enter");
    expect(await answer).toBe("lexer");
  });

  test("a paste becomes one line without anything a terminal would obey", async () => {
    const host = testHost({ width: 30 });
    const answer = askText(host, { title: "Name" });
    host.paste("one\ntwo\x1b[31m three\x07");
    host.press("enter");
    expect(await answer).toBe("one two three");
  });

  test("scrolls sideways with the cursor", () => {
    const host = testHost({ width: 12 });
    void askText(host, { title: "Name", text: "abcdefghijklmnop" });
    expect([host.lines[1], host.cursor]).toEqual([" > ijklmnop", { row: 1, column: 11 }]);
    host.press("home");
    expect([host.lines[1], host.cursor]).toEqual([" > abcdefghi", { row: 1, column: 3 }]);
  });

  test("Esc gives nothing", async () => {
    const host = testHost();
    const answer = askText(host, { title: "Name", placeholder: "any" });
    expect(host.lines[1]).toBe(" > any");
    host.press("esc");
    expect(await answer).toBeUndefined();
  });
});

describe("a list", () => {
  const items = ["red", "green", "blue"].map((value) => ({ value, label: value, detail: "a colour" }));

  test("has its details in one column, is narrowed down by typing, and Esc clears before it closes", async () => {
    const host = testHost({ width: 36, height: 8 });
    const answer = askSelect(host, { title: "Colour", items, selected: "green" });
    expect(host.screen).toBe(
      [
        " Colour                       2 of 3",
        " / type to narrow it down",
        "   red    a colour",
        " ❯ green  a colour",
        "   blue   a colour",
        " Enter choose  Esc close",
      ].join("\n"),
    );
    host.type("bl");
    expect(host.lines.slice(0, 3)).toEqual([" Colour                       1 of 1", " / bl", " ❯ blue   a colour"]);
    host.type("x");
    expect(host.lines[2]).toBe(' Nothing matches "blx". Esc clears …');
    host.press("esc");
    expect(host.lines).toHaveLength(6);
    host.press("esc");
    expect(await answer).toBeUndefined();
  });

  test("gives the value of the marked line, and not of one that is off", async () => {
    const host = testHost({ width: 60 });
    const answer = askSelect(host, {
      title: "Model",
      items: [
        { value: 1, label: "one", off: "No key is bound." },
        { value: 2, label: "two" },
      ],
    });
    host.press("enter");
    expect(host.lines.at(-1)).toBe(" No key is bound.");
    host.press("down", "down", "enter");
    expect(await answer).toBe(2);
  });

  test("scrolls in a low window", () => {
    const host = testHost({ width: 30, height: 5 });
    void askSelect(host, { title: "Colour", items });
    host.press("end");
    expect(host.lines.slice(2)).toEqual(["   green  a colour", " ❯ blue   a colour", " Enter choose  Esc close"]);
  });
});

test("a confirmation is Enter or Esc", async () => {
  const host = testHost({ width: 40 });
  const yes = askConfirm(host, { title: "Leave this session?", message: "3 open", yes: "leave", no: "stay" });
  expect(host.screen).toBe([" Leave this session?", " 3 open", " ❯ 1 Enter  leave", "   2 Esc    stay"].join("\n"));
  host.press("enter");
  const no = askConfirm(host, { title: "And now?" });
  host.press("esc");
  expect([await yes, await no]).toEqual([true, false]);
});

test("a text of several lines is written and given", async () => {
  const host = testHost({ width: 40, height: 10 });
  const answer = askLongText(host, { title: "Message", text: "one" });
  host.press("shift+enter");
  host.type("two");
  expect([host.lines[0], host.lines.at(-1)]).toEqual([" Message", " Enter done  Esc cancel"]);
  host.press("enter");
  expect(await answer).toBe("one\ntwo");
});

test("a session that is open in another process is continued, opened read-only, or left alone", async () => {
  const answers = [];
  for (const key of ["enter", "r", "esc"]) {
    const host = testHost();
    const answer = askPresence(host, [{ program: "bough", pid: 4, host: "here" }]);
    expect(host.lines[0]).toBe(" This session is open in bough (process 4 on here).");
    host.press(key);
    answers.push(await answer);
  }
  expect(answers).toEqual(["branch", "look", "cancel"]);
});

describe("progress", () => {
  test("says what is running, for how long, and how to stop it", async () => {
    const host = testHost({ width: 60 });
    let finish = (_value: number): void => {};
    const outcome = withProgress(host, {
      title: "Summarizing #1",
      stops: "you stay here",
      work: () =>
        new Promise<number>((resolve) => {
          finish = resolve;
        }),
    });
    host.advance(4000);
    expect(host.screen).toBe(" ◆ Summarizing #1 … 4 s         Esc stops it (you stay here)");
    finish(7);
    expect([await outcome, host.top]).toEqual([{ kind: "done", value: 7 }, undefined]);
  });

  test("Esc aborts the work, and what it throws then is not a failure", async () => {
    const host = testHost({ width: 60 });
    const outcome = withProgress(host, {
      title: "Looking",
      work: (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
    });
    host.press("esc");
    expect(await outcome).toEqual({ kind: "stopped" });
  });

  test("work that fails on its own closes the strip and throws", async () => {
    const host = testHost();
    const outcome = withProgress(host, { title: "Looking", work: () => Promise.reject(new Error("no disk")) });
    await expect(outcome).rejects.toThrow("no disk");
    expect(host.top).toBeUndefined();
  });
});
