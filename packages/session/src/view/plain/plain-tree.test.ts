import { describe, expect, it } from "vitest";
import { openBranch } from "../tree/tree-folds.js";
import { NOW, parserSession, SampleSession } from "../tree/tree-sample.test-support.js";
import { TreeScreen } from "../tree/tree-screen.test-support.js";
import { withFilter } from "../tree/tree-state.js";
import { parsePlainAnswer } from "./plain-answer.js";
import { plainTree } from "./plain-tree.js";

function outlined({ model, state }: TreeScreen): string {
  const { lines, question } = plainTree(model, state, { now: NOW });
  return `\n${[...lines.map((line) => line.trimEnd()), question].join("\n")}\n`;
}

describe("the outline", () => {
  it("numbers what one can go to, and says the rest in words", () => {
    expect(outlined(new TreeScreen(parserSession().session))).toMatchInlineSnapshot(`
      "
      Tree of parser session. You are on branch 1, earlier question 1. 5 branches.
        1  prompt   earlier question 1                                  4 hours ago
        2  prompt   earlier question 2                                  4 hours ago
        3  prompt   earlier question 3                                  4 hours ago
        4  prompt   earlier question 4                                  4 hours ago
        5  prompt   earlier question 5                                  4 hours ago
        6  prompt   earlier question 6                                  4 hours ago
        7  prompt   earlier question 7                                  4 hours ago
        8  prompt   earlier question 8                                  4 hours ago
        9  prompt   earlier question 9                                  4 hours ago
       10  prompt   earlier question 10                                 4 hours ago
       11  prompt   earlier question 11                                 4 hours ago
       12  prompt   earlier question 12                                 4 hours ago
       13  prompt   wire the tokenizer into the CLI  6 tools            3 hours ago
           side branch 2 starts here: try a hand-written lexer, label lexer, 3 turns
           side branch 4 starts here: use an off-the-shelf grammar, 1 turn
       14  prompt   keep the generated one, add tests  11 tools         2 hours ago
       15  prompt   fix the failing edge cases: empty input, a lone...  52 minutes ago
           side branch 5 starts here: rewrite the error type, 1 turn, stopped
       16  here     reply finished  2 files                             12 minutes ago
      Number to go, b 8 to open a branch, s word to search, q to quit: 
      "
    `);
  });

  it("shows an open branch inside", () => {
    const screen = new TreeScreen(parserSession().session).move((model, state) => openBranch(model, state, 2));
    expect(outlined(screen)).toMatchInlineSnapshot(`
      "
      Tree of parser session. You are on branch 1, earlier question 1. 5 branches.
        1  prompt   earlier question 1                                  4 hours ago
        2  prompt   earlier question 2                                  4 hours ago
        3  prompt   earlier question 3                                  4 hours ago
        4  prompt   earlier question 4                                  4 hours ago
        5  prompt   earlier question 5                                  4 hours ago
        6  prompt   earlier question 6                                  4 hours ago
        7  prompt   earlier question 7                                  4 hours ago
        8  prompt   earlier question 8                                  4 hours ago
        9  prompt   earlier question 9                                  4 hours ago
       10  prompt   earlier question 10                                 4 hours ago
       11  prompt   earlier question 11                                 4 hours ago
       12  prompt   earlier question 12                                 4 hours ago
       13  prompt   wire the tokenizer into the CLI  6 tools            3 hours ago
           side branch 2 starts here: try a hand-written lexer, label lexer, 3 turns, open
       14    prompt   try a hand-written lexer  label lexer             2 hours ago
       15    prompt   start from a table of states                      2 hours ago
             side branch 3 starts here: generate the table, 1 turn
       16    prompt   drop the table, use switch  2 tools               2 hours ago
           side branch 4 starts here: use an off-the-shelf grammar, 1 turn
       17  prompt   keep the generated one, add tests  11 tools         2 hours ago
       18  prompt   fix the failing edge cases: empty input, a lone...  52 minutes ago
           side branch 5 starts here: rewrite the error type, 1 turn, stopped
       19  here     reply finished  2 files                             12 minutes ago
      Number to go, b 8 to open a branch, s word to search, q to quit: 
      "
    `);
    const { numbered } = plainTree(screen.model, withFilter(screen.state, "no-tools"), { now: NOW });
    expect(numbered.map(({ kind }) => kind)).toContain("end");
  });

  it("says that nothing is there yet", () => {
    expect(outlined(new TreeScreen(new SampleSession("new one").session))).toMatchInlineSnapshot(`
      "
      Tree of new one. You are on branch 1, (empty start). 0 branches.
      Nothing here yet. Send a prompt and it becomes the first entry.
      Number to go, b 8 to open a branch, s word to search, q to quit: 
      "
    `);
  });
});

describe("answers below the outline", () => {
  it.each([
    ["31", { kind: "go", number: 31 }],
    [" b 8 ", { kind: "branch", branch: 8 }],
    ["b#8", { kind: "branch", branch: 8 }],
    ["s two words", { kind: "search", words: "two words" }],
    ["e", { kind: "earlier" }],
    ["q", { kind: "quit" }],
    ["", { kind: "quit" }],
    ["99", { kind: "unclear", message: "Enter a number from 1 to 34." }],
  ] as const)("%j is understood", (text, answer) => {
    expect(parsePlainAnswer(text, 34)).toEqual(answer);
  });

  it("say what can be answered where they make no sense", () => {
    expect(parsePlainAnswer("what?", 34)).toMatchObject({
      kind: "unclear",
      message: expect.stringContaining("q to quit"),
    });
  });
});
