import { describe, expect, test } from "vitest";
import { span } from "../../view/index.js";
import { testDesk } from "../desk/desk.test-support.js";
import { askChoice } from "./ask-choice.js";
import { askConfirm } from "./ask-confirm.js";
import { askLongText } from "./ask-long-text.js";
import { askPresence } from "./ask-presence.js";
import { askSelect } from "./ask-select.js";
import { askText } from "./ask-text.js";
import { terminalUi } from "./terminal-ui.js";
import { withProgress } from "./with-progress.js";

test("F10: a confirmation of an extension hides nothing of a command", () => {
  const desk = testDesk({ width: 60 });
  void askConfirm(desk, { title: "Run this command?", message: "echo ok\x1b]0;; rm -r .\x07" });
  expect(desk.lines.slice(0, 2)).toEqual([" Run this command?", " echo ok\\x1b]0;; rm -r .\\x07"]);
});

test("A3: a confirmation of an extension is not answered by what you are typing", async () => {
  const desk = testDesk({ editorText: "half a sent" });
  const onStray = ({ text }: { readonly text?: string | undefined }) =>
    desk.setEditorText(desk.editorText() + (text ?? ""));
  const answered = terminalUi(desk, { onStray }).confirm("Run this command?", "rm -r build");
  await desk.settle();
  desk.advance(2000);
  desk.type("y");
  expect([desk.editorText(), desk.top?.name]).toEqual(["half a senty", "confirm"]);
  desk.press("tab", "n");
  expect(await answered).toBe(false);
});

describe("a choice with one key for each answer", () => {
  const question = {
    lines: [[span(" Bring a summary along?")]],
    choices: [
      { keys: ["enter"], answer: "no", label: "no", detail: "go now" },
      { keys: ["s"], answer: "yes", label: "yes", detail: "about 600 tokens" },
    ],
    cancel: "stay",
  };

  test("shows the keys, what they mean and what comes of it", () => {
    const desk = testDesk({ width: 40 });
    void askChoice(desk, question);
    expect(desk.screen).toBe(
      [" Bring a summary along?", "   Enter  no   go now", "   s      yes  about 600 tokens"].join("\n"),
    );
  });

  test.each([
    ["enter", "no"],
    ["s", "yes"],
    ["esc", "stay"],
    ["ctrl+c", "stay"],
  ])("%s answers %s", async (key, expected) => {
    const desk = testDesk();
    const answer = askChoice(desk, question);
    desk.press(key);
    expect([await answer, desk.top]).toEqual([expected, undefined]);
  });

  test("a letter that is not an answer is swallowed, and keys of everywhere are not", () => {
    const desk = testDesk();
    void askChoice(desk, question);
    expect([desk.press("x"), desk.press("f1"), desk.top?.name]).toEqual([true, false, "choice"]);
  });

  test("a question that is taken away is cancelled", async () => {
    const desk = testDesk();
    const answer = askChoice(desk, question);
    desk.closeAll();
    expect(await answer).toBe("stay");
  });

  test("keeps the answers where the window is too low for the question", () => {
    const desk = testDesk({ height: 2, width: 20 });
    void askChoice(desk, question);
    expect(desk.lines).toEqual(["   Enter  no   go n…", "   s      yes  abou…"]);
  });
});

describe("a line of text", () => {
  test("is edited, checked and given", async () => {
    const desk = testDesk({ width: 30 });
    const answer = askText(desk, {
      title: "Name",
      text: "lexr",
      check: (text) => (text === "lexer" ? undefined : "That is no word."),
    });
    expect([desk.screen, desk.cursor]).toEqual([
      [" Name", " > lexr", " Enter answer  Esc cancel"].join("\n"),
      { row: 1, column: 7 },
    ]);
    desk.press("enter");
    expect(desk.lines[2]).toBe(" ✕ That is no word.");
    desk.press("left", "e", "enter");
    expect(await answer).toBe("lexer");
  });

  test("a paste becomes one line without anything a terminal would obey", async () => {
    const desk = testDesk({ width: 30 });
    const answer = askText(desk, { title: "Name" });
    desk.paste("one\ntwo\x1b[31m three\x07");
    desk.press("enter");
    expect(await answer).toBe("one two three");
  });

  test("scrolls sideways with the cursor", () => {
    const desk = testDesk({ width: 12 });
    void askText(desk, { title: "Name", text: "abcdefghijklmnop" });
    expect([desk.lines[1], desk.cursor]).toEqual([" > ijklmnop", { row: 1, column: 11 }]);
    desk.press("home");
    expect([desk.lines[1], desk.cursor]).toEqual([" > abcdefghi", { row: 1, column: 3 }]);
  });

  test("Esc gives nothing", async () => {
    const desk = testDesk();
    const answer = askText(desk, { title: "Name", placeholder: "any" });
    expect(desk.lines[1]).toBe(" > any");
    desk.press("esc");
    expect(await answer).toBeUndefined();
  });
});

describe("a list", () => {
  const items = ["red", "green", "blue"].map((value) => ({ value, label: value, detail: "a colour" }));

  test("has its details in one column, is narrowed down by typing, and Esc clears before it closes", async () => {
    const desk = testDesk({ width: 36, height: 8 });
    const answer = askSelect(desk, { title: "Colour", items, selected: "green" });
    expect(desk.screen).toBe(
      [
        " Colour                       2 of 3",
        " / type to narrow it down",
        "   red    a colour",
        " ❯ green  a colour",
        "   blue   a colour",
        " Enter choose  Esc close",
      ].join("\n"),
    );
    desk.type("bl");
    expect(desk.lines.slice(0, 3)).toEqual([" Colour                       1 of 1", " / bl", " ❯ blue   a colour"]);
    desk.type("x");
    expect(desk.lines[2]).toBe(' Nothing matches "blx". Esc clears …');
    desk.press("esc");
    expect(desk.lines).toHaveLength(6);
    desk.press("esc");
    expect(await answer).toBeUndefined();
  });

  test("gives the value of the marked line, and not of one that is off", async () => {
    const desk = testDesk({ width: 60 });
    const answer = askSelect(desk, {
      title: "Model",
      items: [
        { value: 1, label: "one", off: "It has no key." },
        { value: 2, label: "two" },
      ],
    });
    desk.press("enter");
    expect(desk.lines.at(-1)).toBe(" It has no key.");
    desk.press("down", "down", "enter");
    expect(await answer).toBe(2);
  });

  test("scrolls in a low window", () => {
    const desk = testDesk({ width: 30, height: 5 });
    void askSelect(desk, { title: "Colour", items });
    desk.press("end");
    expect(desk.lines.slice(2)).toEqual(["   green  a colour", " ❯ blue   a colour", " Enter choose  Esc close"]);
  });
});

test("a confirmation is Enter or Esc", async () => {
  const desk = testDesk({ width: 40 });
  const yes = askConfirm(desk, { title: "Leave this session?", message: "3 open", yes: "leave", no: "stay" });
  expect(desk.screen).toBe([" Leave this session?", " 3 open", "   Enter  leave", "   Esc    stay"].join("\n"));
  desk.press("enter");
  const no = askConfirm(desk, { title: "And now?" });
  desk.press("esc");
  expect([await yes, await no]).toEqual([true, false]);
});

test("a text of several lines is written and given", async () => {
  const desk = testDesk({ width: 40, height: 10 });
  const answer = askLongText(desk, { title: "Message", text: "one" });
  desk.press("shift+enter");
  desk.type("two");
  expect([desk.lines[0], desk.lines.at(-1)]).toEqual([" Message", " Enter done  Esc cancel"]);
  desk.press("enter");
  expect(await answer).toBe("one\ntwo");
});

test("a session that another process has open is continued, looked at, or left alone", async () => {
  const answers = [];
  for (const key of ["enter", "r", "esc"]) {
    const desk = testDesk();
    const answer = askPresence(desk, [{ program: "bough", pid: 4, host: "here" }]);
    expect(desk.lines[0]).toBe(" This session is open in bough (process 4 on here).");
    desk.press(key);
    answers.push(await answer);
  }
  expect(answers).toEqual(["branch", "look", "cancel"]);
});

describe("progress", () => {
  test("says what is going on, for how long, and how to stop it", async () => {
    const desk = testDesk({ width: 60 });
    let finish = (_value: number): void => {};
    const outcome = withProgress(desk, {
      title: "Summarising #1",
      stops: "you stay here",
      work: () =>
        new Promise<number>((resolve) => {
          finish = resolve;
        }),
    });
    desk.advance(4000);
    expect(desk.screen).toBe(" ◆ Summarising #1 … 4 s         Esc stops it (you stay here)");
    finish(7);
    expect([await outcome, desk.top]).toEqual([{ kind: "done", value: 7 }, undefined]);
  });

  test("Esc aborts the work, and what it throws then is not a failure", async () => {
    const desk = testDesk({ width: 60 });
    const outcome = withProgress(desk, {
      title: "Looking",
      work: (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
    });
    desk.press("esc");
    expect(await outcome).toEqual({ kind: "stopped" });
  });

  test("work that fails by itself takes the strip away and throws", async () => {
    const desk = testDesk();
    const outcome = withProgress(desk, { title: "Looking", work: () => Promise.reject(new Error("no disk")) });
    await expect(outcome).rejects.toThrow("no disk");
    expect(desk.top).toBeUndefined();
  });
});
