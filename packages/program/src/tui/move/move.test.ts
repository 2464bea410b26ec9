import { describe, expect, test } from "vitest";
import type { MoveAnswer, MoveQuestion } from "../../command/index.js";
import { type TestHost, testHost } from "../host/host.test-support.js";
import { askBeforeMove, askFailed } from "./ask-before-move.js";

const QUESTION: MoveQuestion = {
  branch: { number: 1, name: "main" },
  entries: 7,
  tokens: 4_100,
  files: 2,
  preferred: "none",
  target: "wire the tokenizer",
};

async function answerTo(press: (host: TestHost) => void, question: Partial<MoveQuestion> = {}): Promise<MoveAnswer> {
  const host = testHost();
  const answer = askBeforeMove(host, { ...QUESTION, ...question });
  press(host);
  return answer;
}

describe("leaving a branch", () => {
  test("asks once, says what is left, and that it stays", () => {
    const host = testHost({ width: 80, height: 12 });
    void askBeforeMove(host, QUESTION, { model: "the small model" });
    expect(host.screen).toMatchInlineSnapshot(`
      " Leaving #1 main: 7 entries, ≈4.1k tokens, 2 files. It stays in the tree.
       Bring a summary?
       ❯ 1 Enter  no            go now
         2 s      yes           ≈4.1k tokens in, about 600 out, on the small model
         3 w      yes, about…   with your instructions
         4 a      stop asking   change it any time: /settings summary
         5 Esc    stay here"
    `);
  });

  test("fits forty columns and ASCII", () => {
    const host = testHost({ width: 40, height: 12, glyphs: "ascii" });
    void askBeforeMove(host, QUESTION, { firstTime: true });
    expect(host.screen).toMatchInlineSnapshot(`
      " Leaving #1 main: 7 entries, ~4.1k
       tokens, 2 files. It stays in the tree.
       A summary tells the new branch what
       this one found out.
       Bring a summary?
       > 1 Enter  no
         2 s      yes
         3 w      yes, about...
         4 a      stop asking
         5 Esc    stay here"
    `);
  });

  test("has one key for each answer", async () => {
    expect(await answerTo((host) => host.press("enter"))).toEqual({ kind: "none" });
    expect(await answerTo((host) => host.press("s"))).toEqual({ kind: "summary" });
    expect(await answerTo((host) => host.press("a"))).toEqual({ kind: "never" });
    expect(await answerTo((host) => host.press("esc"))).toEqual({ kind: "stay" });
    expect(await answerTo((host) => host.press("ctrl+c"))).toEqual({ kind: "stay" });
    expect(await answerTo((host) => host.closeAll())).toEqual({ kind: "stay" });
  });

  test("answers have numbers, and arrows mark one for Enter, as in other questions", async () => {
    const kinds = ["none", "summary", undefined, "never", "stay"] as const;
    for (const [at, kind] of kinds.entries()) {
      if (kind === undefined) continue;
      expect(await answerTo((host) => host.press(`${at + 1}`))).toEqual({ kind });
      const marked = (host: TestHost) => {
        for (let n = 0; n < at; n++) host.press("down");
        host.press("enter");
      };
      expect(await answerTo(marked)).toEqual({ kind });
    }
    const host = testHost({ width: 80, height: 12 });
    void askBeforeMove(host, QUESTION);
    for (const key of ["up", "down", "down", "9", "0"]) host.press(key);
    expect(host.screen).toContain("❯ 3 w      yes, about…");
    const back = (press: (host: TestHost) => void) => answerTo(press, { preferred: "summary" });
    expect(await back((one) => one.press("2"))).toEqual({ kind: "none" });
    const failed = testHost();
    const again = askFailed(failed, "No summary.");
    failed.press("down");
    failed.press("enter");
    expect(await again).toBe("again");
  });

  test("coming back turns the default round", async () => {
    expect(await answerTo((host) => host.press("enter"), { preferred: "summary" })).toEqual({ kind: "summary" });
    expect(await answerTo((host) => host.press("n"), { preferred: "summary" })).toEqual({ kind: "none" });
    const host = testHost({ height: 4 });
    void askBeforeMove(host, { ...QUESTION, branch: { number: 4, name: "lexer" }, preferred: "summary" });
    expect(host.screen).toMatchInlineSnapshot(`
      " Go back to just before "wire the tokenizer"?
       ❯ 1 Enter brings a summary of #4 · 2 n goes without · 3 w says what to keep
       4 Esc stays"
    `);
  });

  test("instructions are written in the editor of several lines; Esc returns to the question", async () => {
    const host = testHost({ height: 16 });
    const answer = askBeforeMove(host, QUESTION);
    host.press("w");
    host.type("nonsense");
    host.press("esc");
    await host.settle();
    expect(host.top?.name).toBe("leaving");
    host.press("w");
    host.type("the failing cases");
    host.press("ctrl+j");
    host.paste("and why switch won");
    expect(host.screen).toMatchInlineSnapshot(`
      " What should the summary of #1 keep?
      ────────────────────────────────────────────────────────────────────────────────
      the failing cases
      and why switch won
       Enter done   Shift+Enter new line   Esc cancel"
    `);
    host.press("enter");
    expect(await answer).toEqual({ kind: "summary", instructions: "the failing cases\nand why switch won" });
  });

  test("a letter that is not an answer has no other effect", () => {
    const host = testHost();
    void askBeforeMove(host, QUESTION);
    expect(host.press("x")).toBe(true);
    expect(host.top?.name).toBe("leaving");
  });
});

describe("a summary that failed", () => {
  const message = "No summary: the model is rate-limited (429). You are still on #1.";

  test("says what went wrong and what can be done", () => {
    const host = testHost({ height: 4 });
    void askFailed(host, message);
    expect(host.screen).toMatchInlineSnapshot(`
      " No summary: the model is rate-limited (429). You are still on #1.
       ❯ 1 Enter goes without a summary · 2 r tries again · 3 Esc stays"
    `);
  });

  test("says that a merge brings turns instead", () => {
    const host = testHost({ height: 4 });
    void askFailed(host, message, "turns");
    expect(host.screen).toContain("1 Enter brings its turns · 2 r tries again · 3 Esc stays");
  });

  test("goes without, tries again, or stays", async () => {
    const answers = [];
    for (const key of ["enter", "r", "esc"]) {
      const host = testHost();
      const answer = askFailed(host, message);
      host.press(key);
      answers.push(await answer);
    }
    expect(answers).toEqual(["without", "again", "stay"]);
  });
});
