import { describe, expect, it } from "vitest";
import { UNICODE_GLYPHS } from "../glyphs.js";
import { layoutTree } from "./layout-tree.js";
import { prompt, sourceOf } from "./tree-damage.test-support.js";
import { nextMatch, previousMatch } from "./tree-folds.js";
import { NOW, parserSession } from "./tree-sample.test-support.js";
import { TreeScreen } from "./tree-screen.test-support.js";
import { TreeSearch } from "./tree-search.js";
import { withSearch } from "./tree-state.js";

const never = () => false;
const always = () => true;

function searched(words: string): TreeScreen {
  const screen = new TreeScreen(parserSession().session);
  const search = new TreeSearch(screen.model, words);
  search.advance(never);
  return screen.set((state) => withSearch(state, search));
}

/** What the matches say, in the order they were found. */
function found(screen: TreeScreen): string[] {
  return (screen.state.search?.matches ?? []).map((n) => screen.model.facts(n).words);
}

describe("a search in the tree", () => {
  it("finds entries that have all words, whatever their case, from the leaf up and then the rest from the newest", () => {
    expect(found(searched("the TABLE"))).toEqual(["generate the table", "drop the table, use switch"]);
    expect(found(searched("earlier question 1"))).toEqual([
      "earlier question 12",
      "earlier question 11",
      "earlier question 10",
      "earlier question 1",
    ]);
  });

  it("finds labels, tools by what they were asked, and nothing for no words", () => {
    expect(found(searched("good"))).toHaveLength(1);
    expect(found(searched("src/lex.test.ts"))).toEqual(["edit src/lex.test.ts"]);
    expect(searched("  ").state.search).toMatchObject({ done: true, matches: [] });
  });

  it("stops whenever it is told to, and goes on where it stopped", () => {
    const { model } = new TreeScreen(parserSession().session);
    const whole = new TreeSearch(model, "question");
    whole.advance(never);
    const sliced = new TreeSearch(model, "question");
    let slices = 0;
    while (sliced.advance(always) === "more") slices += 1;
    expect(slices).toBeGreaterThan(50);
    expect(sliced.matches).toEqual(whole.matches);
  });

  it("finds what is appended while it is there", () => {
    const sample = parserSession();
    const { model } = new TreeScreen(sample.session);
    const search = new TreeSearch(model, "brand new");
    search.advance(never);
    expect([search.done, search.matches.length]).toEqual([true, 0]);
    sample.turn("something brand new");
    expect([search.done, search.advance(never), search.matches.length]).toEqual([false, "done", 1]);
  });

  it("goes from match to match and opens the folds on the way", () => {
    const screen = searched("table").move(nextMatch);
    expect(screen.rows()).toMatchInlineSnapshot(`
      "
         ●  earlier question 1                                                     4h
         ●  earlier question 2                                                     4h
         ●  earlier question 3                                                     4h
         ●  earlier question 4                                                     4h
         ●  earlier question 5                                                     4h
         ●  earlier question 6                                                     4h
         ●  earlier question 7                                                     4h
         ●  earlier question 8                                                     4h
         ●  earlier question 9                                                     4h
         ●  earlier question 10                                                    4h
         ●  earlier question 11                                                    4h
         ●  earlier question 12                                                    4h
         ●  wire the tokenizer into the CLI                              6 tools   3h
         ├─▾ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         │   ●  try a hand-written lexer  [lexer]                                  2h
         │   ●  start from a table of states                                       2h
       ❯ │   ├─▸ #3  generate the table            1 turn  1 match inside          2h
         │   ●  drop the table, use switch                               2 tools   2h
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
         ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
         @  you are here · reply finished                                2 files  12m
      "
    `);
    expect(screen.draw().split("\n").at(-2)).toMatchInlineSnapshot(
      `" n next   N previous   Esc clear   s go + summary   ? keys         match 1 of 3"`,
    );
    screen.move(nextMatch, nextMatch, nextMatch);
    expect(screen.state.match).toBe(2);
    screen.move(previousMatch, previousMatch, previousMatch);
    expect(screen.state.match).toBe(0);
  });

  it("says how many matches a folded branch holds", () => {
    expect(searched("table").rows()).toMatch(/#2 .* 3 turns {2}\[lexer\] {2}3 matches inside/);
    expect(searched("table").rows({ width: 40 })).toContain("(3)");
  });

  it("counts matches in the branches that a fork does not show", () => {
    const wide = sourceOf(
      [prompt("root", null), ...Array.from({ length: 50 }, (_, i) => prompt(`c${i}`, "root", `try ${i}`))],
      1,
    );
    const screen = new TreeScreen(wide);
    const search = new TreeSearch(screen.model, "try 4");
    search.advance(never);
    screen.set((state) => withSearch(state, search));
    expect(search.matches).toHaveLength(14);
    // Six are seen, 44 to 49; the others are 4, 14, 24, 34 and 40 to 43.
    expect(screen.rows()).toMatch(/\+ 43 more {2}8 matches inside/);
  });

  it("marks the words it found", () => {
    const { model, state } = searched("wire TOKEN");
    const options = { width: 80, height: 24, glyphs: UNICODE_GLYPHS, now: NOW, hint: () => "" };
    const spans = layoutTree(model, state, options).lines.flat();
    expect(
      spans
        .filter(({ tone }) => tone === "accent")
        .map(({ text }) => text.trim())
        .filter(Boolean),
    ).toEqual(["wire", "token"]);
  });
});
