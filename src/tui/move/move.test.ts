import { describe, expect, test } from "vitest";
import type { MoveAnswer, MoveQuestion } from "../../command/index.js";
import { type TestDesk, testDesk } from "../desk/desk.test-support.js";
import { askBeforeMove, askFailed } from "./ask-before-move.js";

const QUESTION: MoveQuestion = {
  branch: { number: 1, name: "main" },
  entries: 7,
  tokens: 4_100,
  files: 2,
  preferred: "none",
  target: "wire the tokenizer",
};

async function answerTo(press: (desk: TestDesk) => void, question: Partial<MoveQuestion> = {}): Promise<MoveAnswer> {
  const desk = testDesk();
  const answer = askBeforeMove(desk, { ...QUESTION, ...question });
  press(desk);
  return answer;
}

describe("leaving a branch", () => {
  test("asks once, says what is left, and that it stays", () => {
    const desk = testDesk({ width: 80, height: 12 });
    void askBeforeMove(desk, QUESTION, { model: "the small model" });
    expect(desk.screen).toMatchInlineSnapshot(`
      " Leaving #1 main: 7 entries, ≈4.1k tokens, 2 files. It stays in the tree.
       Bring a summary along?
         Enter  no            go now
         s      yes           ≈4.1k tokens in, about 600 out, on the small model
         w      yes, about…   write instructions for it
         a      stop asking   change it any time: /settings summary
         Esc    stay here"
    `);
  });

  test("fits forty columns and ASCII", () => {
    const desk = testDesk({ width: 40, height: 12, glyphs: "ascii" });
    void askBeforeMove(desk, QUESTION, { firstTime: true });
    expect(desk.screen).toMatchInlineSnapshot(`
      " Leaving #1 main: 7 entries, ~4.1k
       tokens, 2 files. It stays in the tree.
       A summary lets this branch know what
       the other one learned.
       Bring a summary along?
         Enter  no
         s      yes
         w      yes, about...
         a      stop asking
         Esc    stay here"
    `);
  });

  test("has one key for each answer", async () => {
    expect(await answerTo((desk) => desk.press("enter"))).toEqual({ kind: "none" });
    expect(await answerTo((desk) => desk.press("s"))).toEqual({ kind: "summary" });
    expect(await answerTo((desk) => desk.press("a"))).toEqual({ kind: "never" });
    expect(await answerTo((desk) => desk.press("esc"))).toEqual({ kind: "stay" });
    expect(await answerTo((desk) => desk.press("ctrl+c"))).toEqual({ kind: "stay" });
    expect(await answerTo((desk) => desk.closeAll())).toEqual({ kind: "stay" });
  });

  test("coming back turns the default round", async () => {
    expect(await answerTo((desk) => desk.press("enter"), { preferred: "summary" })).toEqual({ kind: "summary" });
    expect(await answerTo((desk) => desk.press("n"), { preferred: "summary" })).toEqual({ kind: "none" });
    const desk = testDesk({ height: 4 });
    void askBeforeMove(desk, { ...QUESTION, branch: { number: 4, name: "lexer" }, preferred: "summary" });
    expect(desk.screen).toMatchInlineSnapshot(`
      " Back to "wire the tokenizer".
       Enter brings a summary of #4 · n goes without · w says what to keep · Esc stays"
    `);
  });

  test("B4: instructions are written in the editor of several lines; Esc returns to the question", async () => {
    const desk = testDesk({ height: 16 });
    const answer = askBeforeMove(desk, QUESTION);
    desk.press("w");
    desk.type("nonsense");
    desk.press("esc");
    await desk.settle();
    expect(desk.top?.name).toBe("leaving");
    desk.press("w");
    desk.type("the failing cases");
    desk.press("ctrl+j");
    desk.paste("and why switch won");
    expect(desk.screen).toMatchInlineSnapshot(`
      " What should the summary of #1 keep?
      ────────────────────────────────────────────────────────────────────────────────
      the failing cases
      and why switch won
       Enter done   Shift+Enter new line   Esc cancel"
    `);
    desk.press("enter");
    expect(await answer).toEqual({ kind: "summary", instructions: "the failing cases\nand why switch won" });
  });

  test("a letter that is not an answer goes nowhere else", () => {
    const desk = testDesk();
    void askBeforeMove(desk, QUESTION);
    expect(desk.press("x")).toBe(true);
    expect(desk.top?.name).toBe("leaving");
  });
});

describe("a summary that failed", () => {
  const message = "No summary: the model is rate-limited (429). You are still on #1.";

  test("says what went wrong and what can be done", () => {
    const desk = testDesk({ height: 4 });
    void askFailed(desk, message);
    expect(desk.screen).toMatchInlineSnapshot(`
      " No summary: the model is rate-limited (429). You are still on #1.
       Enter goes without a summary · r tries again · Esc stays"
    `);
  });

  test("goes without, tries again, or stays", async () => {
    const answers = [];
    for (const key of ["enter", "r", "esc"]) {
      const desk = testDesk();
      const answer = askFailed(desk, message);
      desk.press(key);
      answers.push(await answer);
    }
    expect(answers).toEqual(["without", "again", "stay"]);
  });
});
