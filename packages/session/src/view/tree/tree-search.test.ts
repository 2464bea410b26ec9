import { describe, expect, it } from "vitest";
import { UNICODE_GLYPHS } from "../glyphs.js";
import { layoutTree } from "./layout-tree.js";
import { prompt, sourceOf } from "./tree-damage.test-support.js";
import { nextMatch, previousMatch } from "./tree-folds.js";
import { NOW, parserSession, SampleSession } from "./tree-sample.test-support.js";
import { TreeScreen } from "./tree-screen.test-support.js";
import { TreeSearch } from "./tree-search.js";
import { type TreeFilter, withSearch } from "./tree-state.js";

const never = () => false;
const always = () => true;

function searched(words: string): TreeScreen {
  const screen = new TreeScreen(parserSession().session);
  const search = new TreeSearch(screen.model, words);
  search.advance(never);
  return screen.set((state) => withSearch(state, search));
}

/** The text of the matches, in the order found. */
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

  it("searches other texts if given, even after a search without them", () => {
    const { model } = new TreeScreen(parserSession().session);
    const before = new TreeSearch(model, "tab");
    before.advance(never);
    const first = model.source.tree.firstChildOf(-1);
    const search = new TreeSearch(model, "table", { before, textOf: (n) => (n === first ? "a table" : "") });
    search.advance(never);
    expect([before.matches.includes(first), search.matches]).toEqual([false, [first]]);
  });

  it("searches the whole text of messages and tool results", () => {
    const sample = new SampleSession();
    const long = (end: string) => `${"a line of many\n".repeat(400)}${end}`;
    const prompt = sample.say(long("the needle of the prompt"));
    const answer = sample.answer(long("The Needle of the answer"));
    const output = sample.session.appendMessage({
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [{ type: "text", text: long("needle in the output") }],
      isError: false,
      timestamp: NOW,
    });
    const shell = sample.session.appendMessage({
      role: "bashExecution",
      command: "cat log",
      output: long("needle of a command"),
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: NOW,
    });
    const compaction = sample.session.appendCompaction(long("needle of a summary"), prompt, 9);
    const custom = sample.session.appendCustomMessageEntry("note", long("needle of an extension"), true);
    const hidden = sample.session.appendCustomMessageEntry("note", "hidden needle", false);
    const label = sample.session.appendLabelChange(answer, "needle label");
    const { model } = new TreeScreen(sample.session);
    const idsFor = (words: string, filter?: TreeFilter) => {
      const search = new TreeSearch(model, words, filter === undefined ? {} : { filter });
      search.advance(never);
      return search.matches.map((n) => model.source.tree.ids.textOf(n)).reverse();
    };
    expect(idsFor("NEEDLE")).toEqual([prompt, answer, output, shell, compaction, custom]);
    expect(idsFor("needle label")).toEqual([answer]);
    // Only labeled entries have rows.
    expect(idsFor("needle", "labeled-only")).toEqual([answer]);
    // If everything has a row, everything is found.
    expect(idsFor("needle", "all")).toEqual([prompt, answer, output, shell, compaction, custom, hidden, label]);
  });

  it("finds calls and bookkeeping where their rows are shown", () => {
    const sample = new SampleSession();
    sample.session.appendModelChange("acme", "m-2");
    sample.say("look");
    const [call, result] = sample.tools(["read", { path: "src/deep/file.ts" }]);
    const { model } = new TreeScreen(sample.session);
    const idsFor = (words: string, filter: TreeFilter) => {
      const search = new TreeSearch(model, words, { filter });
      search.advance(never);
      return search.matches.map((n) => model.source.tree.ids.textOf(n));
    };
    expect(idsFor("deep/file", "default")).toEqual([result]);
    expect(idsFor("deep/file", "all")).toEqual([result, call]);
    expect(idsFor("acme", "default")).toEqual([]);
    expect(idsFor("acme", "all")).toHaveLength(1);
  });

  it("typing on looks again only at what was found, and says how far it is", () => {
    const { model } = new TreeScreen(parserSession().session);
    const first = new TreeSearch(model, "quest");
    first.advance(never);
    const read = first.matches.length;
    const next = new TreeSearch(model, "question 12", { before: first });
    let looks = 0;
    next.advance(() => {
      looks += 1;
      return false;
    });
    expect([looks, next.done, next.matches.length]).toEqual([read, true, 1]);
    const fresh = new TreeSearch(model, "question 12");
    fresh.advance(never);
    expect(next.matches).toEqual(fresh.matches);
    const half = new TreeSearch(model, "question");
    let steps = 0;
    half.advance(() => ++steps >= model.source.tree.count >> 1);
    expect(half.progress).toBeCloseTo(0.5, 1);
    const on = new TreeSearch(model, "question 1", { before: half });
    on.advance(never);
    const whole = new TreeSearch(model, "question 1");
    whole.advance(never);
    expect([...on.matches].sort()).toEqual([...whole.matches].sort());
  });

  it("the preview starts where the words are", () => {
    const sample = new SampleSession();
    sample.say("start");
    sample.answer(`${"filler ".repeat(200)}\nhere is the needle\nand more`);
    const screen = new TreeScreen(sample.session, "default");
    const search = new TreeSearch(screen.model, "needle");
    search.advance(never);
    screen.set((state) => withSearch(state, search)).move(nextMatch);
    expect(screen.draw()).toContain(" here is the needle");
  });

  it("can stop at any time, and continues where it stopped", () => {
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
    // Six are visible, 44 to 49; the others are 4, 14, 24, 34 and 40 to 43.
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
