import { describe, expect, it } from "vitest";
import { ASCII_GLYPHS } from "../glyphs.js";
import { layoutTree } from "./layout-tree.js";
import { openOrStepIn, togglePick } from "./tree-folds.js";
import { nextRow, previousRow } from "./tree-moves.js";
import { NOW, parserSession, SampleSession } from "./tree-sample.test-support.js";
import { hintOf, TreeScreen } from "./tree-screen.test-support.js";
import { nextPreview, toggleLabelTimes } from "./tree-state.js";

/** The parser session with the prompt about edge cases selected, as in the sketches. */
function atFix(filter: "user-only" | "default" = "user-only"): TreeScreen {
  const { session } = parserSession();
  const fix = session.getEntries().find((entry) => JSON.stringify(entry).includes("fix the failing"));
  return new TreeScreen(session, filter).select(fix?.id ?? "");
}

describe("the tree on a screen", () => {
  it("has 80 columns: rows, a preview below, what Enter does, keys", () => {
    expect(atFix().draw({ height: 24 })).toMatchInlineSnapshot(`
      "
       Tree · parser session · user-only 21 turns · 5 branches · on #1 earlier quest…
       ───────────────────────────────────────────────────────────────────────────────
         ●  earlier question 5                                                     4h
         ●  earlier question 6                                                     4h
         ●  earlier question 7                                                     4h
         ●  earlier question 8                                                     4h
         ●  earlier question 9                                                     4h
         ●  earlier question 10                                                    4h
         ●  earlier question 11                                                    4h
         ●  earlier question 12                                                    4h
         ●  wire the tokenizer into the CLI                              6 tools   3h
         ├─▸ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
       ❯ ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
         @  you are here · reply finished                                2 files  12m
       ───────────────────────────────────────────────────────────────────────────────
       fix the failing edge cases: empty input, a lone quote, CRLF inside strings
       → 2 failing, then all 38 pass. Changed src/lex.test.ts, src/lex.ts

       ───────────────────────────────────────────────────────────────────────────────
       Enter edit & resend from here · leaves 20 entries (≈783 tokens), files unchang…
       c continue after   s go + summary   m label   / search   ? keys       17 of 19
      "
    `);
  });

  it("has 120 columns: the preview is next to the rows", () => {
    expect(atFix().draw({ width: 120, height: 18 })).toMatchInlineSnapshot(`
      "
       Tree · parser session · user-only                                     21 turns · 5 branches · on #1 earlier question 1
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         ●  earlier question 7                                 4h │ fix the failing edge cases: empty input, a lone quote,
         ●  earlier question 8                                 4h │ CRLF inside strings
         ●  earlier question 9                                 4h │ → 2 failing, then all 38 pass. Changed src/lex.test.ts,
         ●  earlier question 10                                4h │ src/lex.ts
         ●  earlier question 11                                4h │
         ●  earlier question 12                                4h │
         ●  wire the tokenizer into the CLI          6 tools   3h │
         ├─▸ #2  try a hand-written lexer   3 turns  [lexer]   2h │
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h │
         ●  keep the generated one, add tests       11 tools   2h │
       ❯ ●  fix the failing edge cases: emp…  [good] 9 tools  52m │
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m │
         @  you are here · reply finished            2 files  12m │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Enter edit & resend from here · leaves 20 entries (≈783 tokens), files unchanged
       c continue after   s go + summary   m label   / search   Tab filter   ? keys                                  17 of 19
      "
    `);
  });

  it("has 60 columns: no counts of tools", () => {
    expect(atFix().draw({ width: 60, height: 20 })).toMatchInlineSnapshot(`
      "
       Tree · parser s… · user-only 21 turns · 5 branches · on #1
       ───────────────────────────────────────────────────────────
         ●  earlier question 8                                 4h
         ●  earlier question 9                                 4h
         ●  earlier question 10                                4h
         ●  earlier question 11                                4h
         ●  earlier question 12                                4h
         ●  wire the tokenizer into the CLI                    3h
         ├─▸ #2  try a hand-written lexer   3 turns  [lexer]   2h
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h
         ●  keep the generated one, add tests                  2h
       ❯ ●  fix the failing edge cases: empty input…  [good]  52m
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m
         @  you are here · reply finished                     12m
       ───────────────────────────────────────────────────────────
       fix the failing edge cases: empty input, a lone quote, …
       → 2 failing, then all 38 pass. Changed src/lex.test.ts, …
       ───────────────────────────────────────────────────────────
       Enter edit & resend · leaves 20 entries, files unchanged
       c continue after   s go + summary   ? keys        17 of 19
      "
    `);
  });

  it("has 40 columns: no ages, short connectors, one line of keys", () => {
    expect(atFix().draw({ width: 40, height: 16 })).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only    5 branches
       ───────────────────────────────────────
         ●  earlier question 8
         ●  earlier question 9
         ●  earlier question 10
         ●  earlier question 11
         ●  earlier question 12
         ●  wire the tokenizer into the CLI
         ├▸ #2 try a hand-writ… [lexer]   3t
         ├▸ #4 use an off-the-shelf gr…   1t
         ●  keep the generated one, add tests
       ❯ ●  fix the failing edge cases… [good]
         └▸ #5 rewrite the error type     1t ✕
         @  you are here · reply finished
       ───────────────────────────────────────
       Enter edit  c continue  v view  ? keys
      "
    `);
  });

  it("has 20 columns: sign, number, words", () => {
    expect(atFix().draw({ width: 20, height: 12 })).toMatchInlineSnapshot(`
      "
       on #1 earlier ques…
       ───────────────────
       ● earlier question…
       ● wire the tokeniz…
       ▸#2 try a hand-wri…
       ▸#4 use an off-the…
       ● keep the generat…
      ❯● fix the failing …
       ▸#5 rewrite the er…
       @ you are here · r…
       ───────────────────
       Enter edit  ? keys
      "
    `);
  });

  it("is drawn in ASCII where a terminal has nothing else", () => {
    expect(atFix().draw({ height: 20, glyphs: ASCII_GLYPHS })).toMatchInlineSnapshot(`
      "
       Tree - parser session - user-only 21 turns - 5 branches - on #1 earlier que...
       -------------------------------------------------------------------------------
         *  earlier question 8                                                     4h
         *  earlier question 9                                                     4h
         *  earlier question 10                                                    4h
         *  earlier question 11                                                    4h
         *  earlier question 12                                                    4h
         *  wire the tokenizer into the CLI                              6 tools   3h
         |-+ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         |-+ #4  use an off-the-shelf grammar  1 turn                              1h
         *  keep the generated one, add tests                           11 tools   2h
       > *  fix the failing edge cases: empty input, a lone q...  [good] 9 tools  52m
         \`-+ #5  rewrite the error type        1 turn  x stopped                  30m
         @  you are here - reply finished                                2 files  12m
       -------------------------------------------------------------------------------
       fix the failing edge cases: empty input, a lone quote, CRLF inside strings
       -> 2 failing, then all 38 pass. Changed src/lex.test.ts, src/lex.ts
       -------------------------------------------------------------------------------
       Enter edit & resend from here - leaves 20 entries (~783 tokens), files uncha...
       c continue after   s go + summary   m label   / search   ? keys       17 of 19
      "
    `);
    expect(atFix().draw({ width: 40, height: 14, glyphs: ASCII_GLYPHS })).toMatchInlineSnapshot(`
      "
       Tree - on #1 - user-only    5 branches
       ---------------------------------------
         *  earlier question 10
         *  earlier question 11
         *  earlier question 12
         *  wire the tokenizer into the CLI
         |+ #2 try a hand-wr... [lexer]   3t
         |+ #4 use an off-the-shelf ...   1t
         *  keep the generated one, add tests
       > *  fix the failing edge cas... [good]
         \`+ #5 rewrite the error type     1t x
         @  you are here - reply finished
       ---------------------------------------
       Enter edit  c continue  v view  ? keys
      "
    `);
    expect(atFix().draw({ width: 120, height: 14, glyphs: ASCII_GLYPHS })).toMatchInlineSnapshot(`
      "
       Tree - parser session - user-only                                     21 turns - 5 branches - on #1 earlier question 1
       -----------------------------------------------------------------------------------------------------------------------
         *  earlier question 11                                4h | fix the failing edge cases: empty input, a lone quote,
         *  earlier question 12                                4h | CRLF inside strings
         *  wire the tokenizer into the CLI          6 tools   3h | -> 2 failing, then all 38 pass. Changed src/lex.test.ts,
         |-+ #2  try a hand-written lexer   3 turns  [lexer]   2h | src/lex.ts
         |-+ #4  use an off-the-shelf gra...  1 turn           1h |
         *  keep the generated one, add tests       11 tools   2h |
       > *  fix the failing edge cases: e...  [good] 9 tools  52m |
         \`-+ #5  rewrite the error type    1 turn  x stopped  30m |
         @  you are here - reply finished            2 files  12m |
       -----------------------------------------------------------------------------------------------------------------------
       Enter edit & resend from here - leaves 20 entries (~783 tokens), files unchanged
       c continue after   s go + summary   m label   / search   Tab filter   ? keys                                  17 of 19
      "
    `);
  });

  it("shows answers and tools under the default filter, and marks the leaf's own row as active", () => {
    expect(new TreeScreen(parserSession().session, "default").draw({ height: 22 })).toMatchInlineSnapshot(`
      "
       Tree · parser session         21 turns · 5 branches · on #1 earlier question 1
       ───────────────────────────────────────────────────────────────────────────────
         ◆  summarized 41k tokens into 3k                                          1h
         ●  fix the failing edge cases: empty input, a lone quote, CRLF…  [good]  52m
         ·  edit src/lex.ts                                                       52m
         ·  edit src/lex.test.ts                                                  52m
         ·  bash step 3                                                           52m
         ·  bash step 4                                                           52m
         ·  bash step 5                                                           52m
         ·  bash step 6                                                           52m
         ·  bash step 7                                                           52m
         ○  Two are failing.                                                      52m
         ├─▸ #5  rewrite the error type  1 turn  ✕ stopped                        30m
         ·  edit src/lex.ts                                                       12m
         ·  bash npm test                                                         12m
       ❯ @  2 failing, then all 38 pass.  ← active                                12m
       ───────────────────────────────────────────────────────────────────────────────
       2 failing, then all 38 pass.

       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                              61 of 61
      "
    `);
  });

  it("shows an open branch one level in, its first prompt on its own row, its branches folded", () => {
    const { session } = parserSession();
    const opened = new TreeScreen(session).select(promptId(session, "try a hand-written lexer")).move(openOrStepIn);
    expect(opened.rows()).toMatchInlineSnapshot(`
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
       ❯ ├─▾ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         │   ●  try a hand-written lexer  [lexer]                                  2h
         │   ●  start from a table of states                                       2h
         │   ├─▸ #3  generate the table            1 turn                          2h
         │   ●  drop the table, use switch                               2 tools   2h
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
         ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
         @  you are here · reply finished                                2 files  12m
      "
    `);
    expect(opened.rows({ width: 40 })).toMatchInlineSnapshot(`
      "
         ●  earlier question 1
         ●  earlier question 2
         ●  earlier question 3
         ●  earlier question 4
         ●  earlier question 5
         ●  earlier question 6
         ●  earlier question 7
         ●  earlier question 8
         ●  earlier question 9
         ●  earlier question 10
         ●  earlier question 11
         ●  earlier question 12
         ●  wire the tokenizer into the CLI
       ❯ ├▾ #2 try a hand-writ… [lexer]   3t
         │ ●  try a hand-written lexer [lexer]
         │ ●  start from a table of states
         │ ├▸ #3 generate the table       1t
         │ ●  drop the table, use switch
         ├▸ #4 use an off-the-shelf gr…   1t
         ●  keep the generated one, add tests
         ●  fix the failing edge cases… [good]
         └▸ #5 rewrite the error type     1t ✕
         @  you are here · reply finished
      "
    `);
    expect(opened.rows({ width: 80, glyphs: ASCII_GLYPHS })).toMatchInlineSnapshot(`
      "
         *  earlier question 1                                                     4h
         *  earlier question 2                                                     4h
         *  earlier question 3                                                     4h
         *  earlier question 4                                                     4h
         *  earlier question 5                                                     4h
         *  earlier question 6                                                     4h
         *  earlier question 7                                                     4h
         *  earlier question 8                                                     4h
         *  earlier question 9                                                     4h
         *  earlier question 10                                                    4h
         *  earlier question 11                                                    4h
         *  earlier question 12                                                    4h
         *  wire the tokenizer into the CLI                              6 tools   3h
       > |-- #2  try a hand-written lexer      3 turns  [lexer]                    2h
         |   *  try a hand-written lexer  [lexer]                                  2h
         |   *  start from a table of states                                       2h
         |   |-+ #3  generate the table            1 turn                          2h
         |   *  drop the table, use switch                               2 tools   2h
         |-+ #4  use an off-the-shelf grammar  1 turn                              1h
         *  keep the generated one, add tests                           11 tools   2h
         *  fix the failing edge cases: empty input, a lone q...  [good] 9 tools  52m
         \`-+ #5  rewrite the error type        1 turn  x stopped                  30m
         @  you are here - reply finished                                2 files  12m
      "
    `);
    expect(opened.rows({ width: 120 })).toMatchInlineSnapshot(`
      "
         ●  earlier question 1                                 4h │ try a hand-written lexer
         ●  earlier question 2                                 4h │ → Faster by 3x, two cases open.
         ●  earlier question 3                                 4h │
         ●  earlier question 4                                 4h │
         ●  earlier question 5                                 4h │
         ●  earlier question 6                                 4h │
         ●  earlier question 7                                 4h │
         ●  earlier question 8                                 4h │
         ●  earlier question 9                                 4h │
         ●  earlier question 10                                4h │
         ●  earlier question 11                                4h │
         ●  earlier question 12                                4h │
         ●  wire the tokenizer into the CLI          6 tools   3h │
       ❯ ├─▾ #2  try a hand-written lexer   3 turns  [lexer]   2h │
         │   ●  try a hand-written lexer  [lexer]              2h │
         │   ●  start from a table of states                   2h │
         │   ├─▸ #3  generate the table           1 turn       2h │
         │   ●  drop the table, use switch           2 tools   2h │
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h │
         ●  keep the generated one, add tests       11 tools   2h │
         ●  fix the failing edge cases: emp…  [good] 9 tools  52m │
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m │
         @  you are here · reply finished            2 files  12m │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
      "
    `);
  });

  it("stops indenting past four open levels, two under 60 columns, and says how deep a row is", () => {
    const sample = new SampleSession();
    const prompts: string[] = [];
    sample.turn("start");
    for (let i = 1; i <= 6; i++) {
      const from = sample.session.getLeafId() as string;
      sample.turn(`left ${i}`);
      sample.session.branch(from);
      prompts.push(sample.turn(`deeper ${i}`));
    }
    sample.session.branch(sample.session.getEntries()[1]?.id ?? "");
    const screen = new TreeScreen(sample.session).select(prompts.at(-1) ?? "");
    expect(screen.move(openOrStepIn).rows()).toMatchInlineSnapshot(`
      "
         ●  start                                                                  4h
         @  you are here · reply finished                                          4h
         ├─▸ #1  continues, 1 turn                                                 4h
         └─▾ #2  deeper 1   2 turns                                                4h
             ●  deeper 1                                                           4h
             ├─▾ #3  deeper 2   2 turns                                            4h
             │   ●  deeper 2                                                       4h
             │   ├─▾ #4  deeper 3   2 turns                                        4h
             │   │   ●  deeper 3                                                   4h
             │   │   ├─▾ #5  deeper 4   2 turns                                    4h
             │   │   │   ●  deeper 4                                               4h
             │   │   │   ├─▾ #6  deeper 5   2 turns                                4h
             │   │   │   ⋯5 ●  deeper 5                                            4h
       ❯     │   │   │   ⋯5 ├─▾ #7  deeper 6   1 turn                              4h
             │   │   │   ⋯6 ●  deeper 6                                            4h
             │   │   │   ⋯5 ●  left 6                                              4h
             │   │   │   ●  left 5                                                 4h
             │   │   ●  left 4                                                     4h
             │   ●  left 3                                                         4h
             ●  left 2                                                             4h
      "
    `);
    expect(screen.rows({ width: 44 })).toMatchInlineSnapshot(`
      "
         ●  start
         @  you are here · reply finished
         ├▸ #1 continues                      1t
         └▾ #2 deeper 1                       2t
           ●  deeper 1
           ├▾ #3 deeper 2                     2t
           │ ●  deeper 2
           │ ├▾ #4 deeper 3                   2t
           │ ⋯3 ●  deeper 3
           │ ⋯3 ├▾ #5 deeper 4                2t
           │ ⋯4 ●  deeper 4
           │ ⋯4 ├▾ #6 deeper 5                2t
           │ ⋯5 ●  deeper 5
       ❯   │ ⋯5 ├▾ #7 deeper 6                1t
           │ ⋯6 ●  deeper 6
           │ ⋯5 ●  left 6
           │ ⋯4 ●  left 5
           │ ⋯3 ●  left 4
           │ ●  left 3
           ●  left 2
      "
    `);
  });

  it("says when labels were set, if asked", () => {
    expect(atFix().set(toggleLabelTimes).rows({ width: 100 })).toContain("[good 52m]");
  });

  it("edits a label in place, with the real cursor in it", () => {
    const { model, state } = atFix();
    const options = { width: 80, height: 24, now: NOW, hint: hintOf, glyphs: ASCII_GLYPHS };
    const layout = layoutTree(model, state, { ...options, editing: { text: "better", cursor: 3 } });
    const row = layout.lines[layout.cursor?.row ?? -1] ?? [];
    expect(row).toHaveLength(1);
    expect(row[0]?.tone).toBe("select");
    expect(row[0]?.text.slice(0, layout.cursor?.column)).toMatch(/\[bet$/);
  });

  it("draws the selected row as one span and puts the real cursor on it", () => {
    const { model, state } = atFix();
    const layout = layoutTree(model, state, { width: 80, height: 24, now: NOW, hint: hintOf, glyphs: ASCII_GLYPHS });
    const row = layout.lines[layout.cursor?.row ?? -1] ?? [];
    expect(row.map(({ tone }) => tone)).toEqual(["select"]);
    expect(row[0]?.text).toMatch(/^ > \* {2}fix the failing/);
    expect(layout.cursor?.column).toBe(1);
  });

  it("marks picked rows and offers what can be done with them", () => {
    const screen = atFix().move(togglePick, nextRow, togglePick).draw({ height: 24 });
    expect(screen).toContain("✓●  fix the failing edge");
    expect(screen.split("\n").at(-2)).toMatchInlineSnapshot(
      `" p cherry-pick here   M merge   d compare   ? keys           2 picked  18 of 19"`,
    );
  });

  it("shows the whole text where the preview takes all the room", () => {
    const screen = atFix();
    screen.set((state) => nextPreview(nextPreview(state, 80), 80));
    expect(screen.state.preview).toBe("full");
    expect(screen.draw({ height: 10 })).toMatchInlineSnapshot(`
      "
       Tree · parser session · user-only 21 turns · 5 branches · on #1 earlier quest…
       ───────────────────────────────────────────────────────────────────────────────
       fix the failing edge cases: empty input, a lone quote, CRLF inside strings
       → 2 failing, then all 38 pass. Changed src/lex.test.ts, src/lex.ts



       ───────────────────────────────────────────────────────────────────────────────
       Enter edit & resend from here · leaves 20 entries (≈783 tokens), files unchang…
       c continue after   s go + summary   m label   / search   ? keys       17 of 19
      "
    `);
  });

  it("keeps rows where they are while the selection moves inside the window, and follows it at the edges", () => {
    const screen = atFix();
    const options = { width: 80, height: 16, now: NOW, hint: hintOf, glyphs: ASCII_GLYPHS };
    const { top } = layoutTree(screen.model, screen.state, options);
    screen.move(previousRow);
    expect(layoutTree(screen.model, screen.state, { ...options, top }).top).toBe(top);
    for (let i = 0; i < 12; i++) screen.move(previousRow);
    expect(layoutTree(screen.model, screen.state, { ...options, top }).top).not.toBe(top);
  });

  it("shows a message in place of the keys, and a search field", () => {
    expect(atFix().draw({ message: 'Labeled "good".' }).split("\n").at(-2)).toBe(' Labeled "good".');
    expect(
      atFix()
        .draw({ searching: { text: "lexer", cursor: 5 } })
        .split("\n")
        .at(-2),
    ).toMatch(/^ \/ lexer {3}/);
  });
});

function promptId(session: ReturnType<typeof parserSession>["session"], text: string): string {
  return session.getEntries().find((entry) => JSON.stringify(entry).includes(text))?.id ?? "";
}
