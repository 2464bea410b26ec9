import { describe, expect, it } from "vitest";
import { ASCII_GLYPHS } from "../glyphs.js";
import { withSituation } from "./tree-damage.test-support.js";
import { parserSession, SampleSession } from "./tree-sample.test-support.js";
import { TreeScreen } from "./tree-screen.test-support.js";
import { TreeSearch } from "./tree-search.js";
import { nextNarrowing, withFilter, withSearch } from "./tree-state.js";

const WIDTHS = [40, 80, 120] as const;

/** The same state at three widths and in two alphabets. */
function drawn(screen: TreeScreen, options: Parameters<TreeScreen["draw"]>[0] = {}): string {
  const screens = WIDTHS.map((width) => screen.draw({ height: 12, width, ...options }));
  return [...screens, screen.draw({ height: 12, glyphs: ASCII_GLYPHS, ...options })].join("");
}

function straight(): SampleSession {
  const sample = new SampleSession("parser session");
  sample.turn("wire the tokenizer into the CLI", { tools: 2 });
  sample.turn("add tests");
  return sample;
}

describe("states of a tree", () => {
  it("say that nothing is there yet", () => {
    expect(drawn(new TreeScreen(new SampleSession().session))).toMatchInlineSnapshot(`
      "
       Tree · on #1 (empty star… · user-only
       ───────────────────────────────────────
       Nothing here yet. Send a prompt and it
       becomes the first entry.






       ───────────────────────────────────────
       v view  ? keys

       Tree · user-only
       ───────────────────────────────────────────────────────────────────────────────
       Nothing here yet. Send a prompt and it becomes the first entry.






       ───────────────────────────────────────────────────────────────────────────────

       / search   Tab filter   ? keys

       Tree · user-only
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Nothing here yet. Send a prompt and it becomes the first   │
       entry.                                                     │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
                                                                  │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

       / search   Tab filter   ? keys

       Tree - user-only
       -------------------------------------------------------------------------------
       Nothing here yet. Send a prompt and it becomes the first entry.






       -------------------------------------------------------------------------------

       / search   Tab filter   ? keys
      "
    `);
  });

  it("say that there are no side branches yet", () => {
    expect(drawn(new TreeScreen(straight().session))).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only      1 branch
       ───────────────────────────────────────
         ●  wire the tokenizer into the CLI
         ●  add tests
       ❯ @  you are here · reply finished

       No side branches yet. e on any prompt
       starts one.


       ───────────────────────────────────────
       Enter stay  v view  ? keys

       Tree · parser session · user-only 2 turns · 1 branch · on #1 wire the tokeniz…
       ───────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI                              2 tools   4h
         ●  add tests                                                              4h
       ❯ @  you are here · reply finished                                          4h

       No side branches yet. e on any prompt starts one.


       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                3 of 3

       Tree · parser session · user-only                           2 turns · 1 branch · on #1 wire the tokenizer into the CLI
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI          2 tools   4h │ Done.
         ●  add tests                                          4h │
       ❯ @  you are here · reply finished                      4h │
                                                                  │
       No side branches yet. e on any prompt starts one.          │
                                                                  │
                                                                  │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                                                        3 of 3

       Tree - parser session - user-only 2 turns - 1 branch - on #1 wire the token...
       -------------------------------------------------------------------------------
         *  wire the tokenizer into the CLI                              2 tools   4h
         *  add tests                                                              4h
       > @  you are here - reply finished                                          4h

       No side branches yet. e on any prompt starts one.


       -------------------------------------------------------------------------------
       You are already here.
       m label   / search   Tab filter   ? keys                                3 of 3
      "
    `);
  });

  it("say that nothing matches a search", () => {
    const screen = new TreeScreen(parserSession().session);
    const search = new TreeSearch(screen.model, "lexr");
    search.advance(() => false);
    screen.set((state) => withSearch(state, search));
    expect(drawn(screen)).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only    5 branches
       ───────────────────────────────────────
         ●  wire the tokenizer into the CLI
         ├▸ #2 try a hand-writ… [lexer]   3t
         ├▸ #4 use an off-the-shelf gr…   1t
         ●  keep the generated one, add tests
         ●  fix the failing edge cases… [good]
         └▸ #5 rewrite the error type     1t ✕
       ❯ @  you are here · reply finished
       ───────────────────────────────────────
       No entry matches "lexr". Esc clears
       the search.

       Tree · parser session · user-only 21 turns · 5 branches · on #1 earlier quest…
       ───────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI                              6 tools   3h
         ├─▸ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
         ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
       ❯ @  you are here · reply finished                                2 files  12m
       ───────────────────────────────────────────────────────────────────────────────
       No entry matches "lexr". Esc clears the search.
       n next   N previous   Esc clear   m label   Tab filter   ? keys      0 matches

       Tree · parser session · user-only                                     21 turns · 5 branches · on #1 earlier question 1
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI          6 tools   3h │ 2 failing, then all 38 pass.
         ├─▸ #2  try a hand-written lexer   3 turns  [lexer]   2h │
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h │
         ●  keep the generated one, add tests       11 tools   2h │
         ●  fix the failing edge cases: emp…  [good] 9 tools  52m │
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m │
       ❯ @  you are here · reply finished            2 files  12m │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       No entry matches "lexr". Esc clears the search.
       n next   N previous   Esc clear   m label   Tab filter   ? keys                                              0 matches

       Tree - parser session - user-only 21 turns - 5 branches - on #1 earlier que...
       -------------------------------------------------------------------------------
         *  wire the tokenizer into the CLI                              6 tools   3h
         |-+ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         |-+ #4  use an off-the-shelf grammar  1 turn                              1h
         *  keep the generated one, add tests                           11 tools   2h
         *  fix the failing edge cases: empty input, a lone q...  [good] 9 tools  52m
         \`-+ #5  rewrite the error type        1 turn  x stopped                  30m
       > @  you are here - reply finished                                2 files  12m
       -------------------------------------------------------------------------------
       No entry matches "lexr". Esc clears the search.
       n next   N previous   Esc clear   m label   Tab filter   ? keys      0 matches
      "
    `);
  });

  it("say that the filter hides everything", () => {
    const screen = new TreeScreen(straight().session).set((state) => withFilter(state, "labeled-only"));
    expect(drawn(screen)).toMatchInlineSnapshot(`
      "
       Tree · on #1 · labeled-only   1 branch
       ───────────────────────────────────────
       ❯ @  you are here · reply finished

       No labeled entries. m adds a label;
       Tab changes the filter.




       ───────────────────────────────────────
       Enter stay  v view  ? keys

       Tree · parser session · labeled-only 2 turns · 1 branch · on #1 wire the toke…
       ───────────────────────────────────────────────────────────────────────────────
       ❯ @  you are here · reply finished                                          4h

       No labeled entries. m adds a label; Tab changes the filter.




       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                1 of 1

       Tree · parser session · labeled-only                        2 turns · 1 branch · on #1 wire the tokenizer into the CLI
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ❯ @  you are here · reply finished                      4h │ Done.
                                                                  │
       No labeled entries. m adds a label; Tab changes the        │
       filter.                                                    │
                                                                  │
                                                                  │
                                                                  │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                                                        1 of 1

       Tree - parser session - labeled-only 2 turns - 1 branch - on #1 wire the to...
       -------------------------------------------------------------------------------
       > @  you are here - reply finished                                          4h

       No labeled entries. m adds a label; Tab changes the filter.




       -------------------------------------------------------------------------------
       You are already here.
       m label   / search   Tab filter   ? keys                                1 of 1
      "
    `);
    const narrowed = new TreeScreen(straight().session).set(nextNarrowing);
    expect(narrowed.draw({ height: 12 })).toContain(" No entries with file changes near here. f shows the others.");
  });

  it("say that earlier entries are still being read", () => {
    expect(drawn(new TreeScreen(straight().session), { situation: { reading: true } })).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only      1 branch
       ───────────────────────────────────────
         ~  reading earlier entries…
         ●  wire the tokenizer into the CLI
         ●  add tests
       ❯ @  you are here · reply finished

       No side branches yet. e on any prompt
       starts one.

       ───────────────────────────────────────
       Enter stay  v view  ? keys

       Tree · parser session · user-only 2 turns · 1 branch · on #1 wire the tokeniz…
       ───────────────────────────────────────────────────────────────────────────────
         ~  reading earlier entries…
         ●  wire the tokenizer into the CLI                              2 tools   4h
         ●  add tests                                                              4h
       ❯ @  you are here · reply finished                                          4h

       No side branches yet. e on any prompt starts one.

       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                3 of 3

       Tree · parser session · user-only                           2 turns · 1 branch · on #1 wire the tokenizer into the CLI
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         ~  reading earlier entries…
         ●  wire the tokenizer into the CLI          2 tools   4h │ Done.
         ●  add tests                                          4h │
       ❯ @  you are here · reply finished                      4h │
                                                                  │
       No side branches yet. e on any prompt starts one.          │
                                                                  │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                                                        3 of 3

       Tree - parser session - user-only 2 turns - 1 branch - on #1 wire the token...
       -------------------------------------------------------------------------------
         ~  reading earlier entries...
         *  wire the tokenizer into the CLI                              2 tools   4h
         *  add tests                                                              4h
       > @  you are here - reply finished                                          4h

       No side branches yet. e on any prompt starts one.

       -------------------------------------------------------------------------------
       You are already here.
       m label   / search   Tab filter   ? keys                                3 of 3
      "
    `);
  });

  it("say which lines could not be read", () => {
    const situation = { damagedLines: [18_204, 18_205] };
    expect(drawn(new TreeScreen(parserSession().session), { situation })).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only    5 branches
       ───────────────────────────────────────
       ⚠ 2 lines could not be read (18204,
       18205). Everything else is here.
       Details: bough verify
         ├▸ #4 use an off-the-shelf gr…   1t
         ●  keep the generated one, add tests
         ●  fix the failing edge cases… [good]
         └▸ #5 rewrite the error type     1t ✕
       ❯ @  you are here · reply finished
       ───────────────────────────────────────
       Enter stay  v view  ? keys

       Tree · parser session · user-only 21 turns · 5 branches · on #1 earlier quest…
       ───────────────────────────────────────────────────────────────────────────────
       ⚠ 2 lines could not be read (18204, 18205). Everything else is here. Details:
       bough verify
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
         ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
       ❯ @  you are here · reply finished                                2 files  12m
       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                              19 of 19

       Tree · parser session · user-only                                     21 turns · 5 branches · on #1 earlier question 1
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ⚠ 2 lines could not be read (18204, 18205). Everything else is here. Details: bough verify
         ├─▸ #2  try a hand-written lexer   3 turns  [lexer]   2h │ 2 failing, then all 38 pass.
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h │
         ●  keep the generated one, add tests       11 tools   2h │
         ●  fix the failing edge cases: emp…  [good] 9 tools  52m │
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m │
       ❯ @  you are here · reply finished            2 files  12m │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                                                      19 of 19

       Tree - parser session - user-only 21 turns - 5 branches - on #1 earlier que...
       -------------------------------------------------------------------------------
       ! 2 lines could not be read (18204, 18205). Everything else is here. Details:
       bough verify
         |-+ #4  use an off-the-shelf grammar  1 turn                              1h
         *  keep the generated one, add tests                           11 tools   2h
         *  fix the failing edge cases: empty input, a lone q...  [good] 9 tools  52m
         \`-+ #5  rewrite the error type        1 turn  x stopped                  30m
       > @  you are here - reply finished                                2 files  12m
       -------------------------------------------------------------------------------
       You are already here.
       m label   / search   Tab filter   ? keys                              19 of 19
      "
    `);
    const many = { damagedLines: [1, 2, 3, 4, 5, 6] };
    expect(new TreeScreen(parserSession().session).draw({ situation: many })).toContain(
      "6 lines could not be read (1, 2, 3, 4, …)",
    );
  });

  it("say that another process added entries", () => {
    expect(drawn(new TreeScreen(parserSession().session), { situation: { newElsewhere: 14 } })).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only    5 branches
       ───────────────────────────────────────
       Another window added 14 entries. r
       reloads.
         ├▸ #2 try a hand-writ… [lexer]   3t
         ├▸ #4 use an off-the-shelf gr…   1t
         ●  keep the generated one, add tests
         ●  fix the failing edge cases… [good]
         └▸ #5 rewrite the error type     1t ✕
       ❯ @  you are here · reply finished
       ───────────────────────────────────────
       Enter stay  v view  ? keys

       Tree · parser session · user-only 21 turns · 5 branches · on #1 earlier quest…
       ───────────────────────────────────────────────────────────────────────────────
       Another window added 14 entries. r reloads.
         ├─▸ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
         ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
       ❯ @  you are here · reply finished                                2 files  12m
       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                              19 of 19

       Tree · parser session · user-only                                     21 turns · 5 branches · on #1 earlier question 1
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Another window added 14 entries. r reloads.
         ├─▸ #2  try a hand-written lexer   3 turns  [lexer]   2h │ 2 failing, then all 38 pass.
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h │
         ●  keep the generated one, add tests       11 tools   2h │
         ●  fix the failing edge cases: emp…  [good] 9 tools  52m │
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m │
       ❯ @  you are here · reply finished            2 files  12m │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                                                      19 of 19

       Tree - parser session - user-only 21 turns - 5 branches - on #1 earlier que...
       -------------------------------------------------------------------------------
       Another window added 14 entries. r reloads.
         |-+ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         |-+ #4  use an off-the-shelf grammar  1 turn                              1h
         *  keep the generated one, add tests                           11 tools   2h
         *  fix the failing edge cases: empty input, a lone q...  [good] 9 tools  52m
         \`-+ #5  rewrite the error type        1 turn  x stopped                  30m
       > @  you are here - reply finished                                2 files  12m
       -------------------------------------------------------------------------------
       You are already here.
       m label   / search   Tab filter   ? keys                              19 of 19
      "
    `);
  });

  it("say that another process has the session, and that moving is off", () => {
    expect(drawn(new TreeScreen(parserSession().session), { situation: { readOnly: true } })).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only    5 branches
       ───────────────────────────────────────
         ●  wire the tokenizer into the CLI
         ├▸ #2 try a hand-writ… [lexer]   3t
         ├▸ #4 use an off-the-shelf gr…   1t
         ●  keep the generated one, add tests
         ●  fix the failing edge cases… [good]
         └▸ #5 rewrite the error type     1t ✕
       ❯ @  you are here · reply finished
       ───────────────────────────────────────
       Open in another process. You can
       browse but not move.

       Tree · parser session · user-only 21 turns · 5 branches · on #1 earlier quest…
       ───────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI                              6 tools   3h
         ├─▸ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
         ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
       ❯ @  you are here · reply finished                                2 files  12m
       ───────────────────────────────────────────────────────────────────────────────
       Open in another process. You can browse but not move.
       m label   / search   Tab filter   ? keys                              19 of 19

       Tree · parser session · user-only                                     21 turns · 5 branches · on #1 earlier question 1
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI          6 tools   3h │ 2 failing, then all 38 pass.
         ├─▸ #2  try a hand-written lexer   3 turns  [lexer]   2h │
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h │
         ●  keep the generated one, add tests       11 tools   2h │
         ●  fix the failing edge cases: emp…  [good] 9 tools  52m │
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m │
       ❯ @  you are here · reply finished            2 files  12m │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Open in another process. You can browse but not move.
       m label   / search   Tab filter   ? keys                                                                      19 of 19

       Tree - parser session - user-only 21 turns - 5 branches - on #1 earlier que...
       -------------------------------------------------------------------------------
         *  wire the tokenizer into the CLI                              6 tools   3h
         |-+ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         |-+ #4  use an off-the-shelf grammar  1 turn                              1h
         *  keep the generated one, add tests                           11 tools   2h
         *  fix the failing edge cases: empty input, a lone q...  [good] 9 tools  52m
         \`-+ #5  rewrite the error type        1 turn  x stopped                  30m
       > @  you are here - reply finished                                2 files  12m
       -------------------------------------------------------------------------------
       Open in another process. You can browse but not move.
       m label   / search   Tab filter   ? keys                              19 of 19
      "
    `);
  });

  it("say that the agent works, and how to stop it", () => {
    expect(
      drawn(new TreeScreen(parserSession().session), { situation: { busy: "Agent is working." } }),
    ).toMatchInlineSnapshot(`
      "
       Tree · on #1 · user-only    5 branches
       ───────────────────────────────────────
         ●  wire the tokenizer into the CLI
         ├▸ #2 try a hand-writ… [lexer]   3t
         ├▸ #4 use an off-the-shelf gr…   1t
         ●  keep the generated one, add tests
         ●  fix the failing edge cases… [good]
         └▸ #5 rewrite the error type     1t ✕
       ❯ @  you are here · reply finished
       ───────────────────────────────────────
       Agent is working. You can browse but
       not move.

       Tree · parser session · user-only 21 turns · 5 branches · on #1 earlier quest…
       ───────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI                              6 tools   3h
         ├─▸ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         ├─▸ #4  use an off-the-shelf grammar  1 turn                              1h
         ●  keep the generated one, add tests                           11 tools   2h
         ●  fix the failing edge cases: empty input, a lone quo…  [good] 9 tools  52m
         └─▸ #5  rewrite the error type        1 turn  ✕ stopped                  30m
       ❯ @  you are here · reply finished                                2 files  12m
       ───────────────────────────────────────────────────────────────────────────────
       Agent is working. You can browse but not move.
       m label   / search   Tab filter   ? keys                              19 of 19

       Tree · parser session · user-only                                     21 turns · 5 branches · on #1 earlier question 1
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         ●  wire the tokenizer into the CLI          6 tools   3h │ 2 failing, then all 38 pass.
         ├─▸ #2  try a hand-written lexer   3 turns  [lexer]   2h │
         ├─▸ #4  use an off-the-shelf gramm…  1 turn           1h │
         ●  keep the generated one, add tests       11 tools   2h │
         ●  fix the failing edge cases: emp…  [good] 9 tools  52m │
         └─▸ #5  rewrite the error type    1 turn  ✕ stopped  30m │
       ❯ @  you are here · reply finished            2 files  12m │
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Agent is working. You can browse but not move.
       m label   / search   Tab filter   ? keys                                                                      19 of 19

       Tree - parser session - user-only 21 turns - 5 branches - on #1 earlier que...
       -------------------------------------------------------------------------------
         *  wire the tokenizer into the CLI                              6 tools   3h
         |-+ #2  try a hand-written lexer      3 turns  [lexer]                    2h
         |-+ #4  use an off-the-shelf grammar  1 turn                              1h
         *  keep the generated one, add tests                           11 tools   2h
         *  fix the failing edge cases: empty input, a lone q...  [good] 9 tools  52m
         \`-+ #5  rewrite the error type        1 turn  x stopped                  30m
       > @  you are here - reply finished                                2 files  12m
       -------------------------------------------------------------------------------
       Agent is working. You can browse but not move.
       m label   / search   Tab filter   ? keys                              19 of 19
      "
    `);
  });

  it("say that the window is too small", () => {
    const screen = new TreeScreen(parserSession().session);
    expect(screen.draw({ width: 80, height: 5 })).toBe("\nWindow too small for the tree. /branches prints a list.\n");
    expect(screen.draw({ width: 19, height: 24 })).toBe(
      "\nWindow too small\nfor the tree.\n/branches prints a\nlist.\n",
    );
  });

  it("show a part whose parent is missing as a separate root", () => {
    expect(new TreeScreen(withSituation("side"), "user-only").draw({ height: 12 })).toMatchInlineSnapshot(`
      "
       Tree · user-only                    4 turns · 2 branches · on #1 a whole start
       ───────────────────────────────────────────────────────────────────────────────
         ├─▸ #2  a piece of something  2 turns  parent 3fa2 is missing             1h
         ●  a whole start                                                          1h
       ❯ @  and what follows  ← active                                             1h




       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                3 of 3
      "
    `);
    expect(new TreeScreen(withSituation("trunk"), "user-only").draw({ height: 12 })).toMatchInlineSnapshot(`
      "
       Tree · user-only             4 turns · 2 branches · on #2 a piece of something
       ───────────────────────────────────────────────────────────────────────────────
         ⚠  parent 3fa2 is missing
         ├─▸ #1  a whole start  2 turns                                            1h
         ●  a piece of something                                                   1h
       ❯ @  its end  ← active                                                      1h



       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                4 of 4
      "
    `);
  });

  it("show a line that could not be read in its place", () => {
    expect(new TreeScreen(withSituation("unreadable"), "default").draw({ height: 12 })).toMatchInlineSnapshot(`
      "
       Tree                                  3 turns · 1 branch · on #1 a whole start
       ───────────────────────────────────────────────────────────────────────────────
         ●  a whole start                                                          1h
         ●  and what follows                                                       1h
         ✕  a line that could not be read
       ❯ @  after the damage  ← active                                             1h

       No side branches yet. e on any prompt starts one.

       ───────────────────────────────────────────────────────────────────────────────
       You are already here.
       m label   / search   Tab filter   ? keys                                4 of 4
      "
    `);
  });
});
