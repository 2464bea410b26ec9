import { describe, expect, it } from "vitest";
import { Role } from "../../entry/index.js";
import { openBranch, openOrStepIn } from "./tree-folds.js";
import { parserSession, SampleSession } from "./tree-sample.test-support.js";
import { TreeScreen } from "./tree-screen.test-support.js";
import { TreeSearch } from "./tree-search.js";
import { initialTree, nextFilter, type TreeFilter, toggleFilter, withFilter, withSearch } from "./tree-state.js";

/** One entry of each kind. */
function variety(): SampleSession {
  const sample = new SampleSession();
  const { session } = sample;
  session.appendModelChange("acme", "m-2");
  sample.say("look around");
  sample.tools(["read", { path: "a.ts" }], ["bash", { command: "npm test" }, "fails"]);
  sample.answer("Found it.");
  session.appendThinkingLevelChange("high");
  session.appendCustomMessageEntry("guard", "the branch is frozen", true);
  session.appendCustomMessageEntry("guard", "only for the model", false);
  session.appendCustomEntry("guard.state", { calls: 2 });
  const prompt = sample.say("change it");
  sample.tools(["edit", { path: "a.ts" }]);
  sample.answer("", { stopReason: "error", errorMessage: "rate-limited (429)" });
  session.appendLabelChange(prompt, "here it broke");
  sample.tools(["bash", { command: "sleep 9" }, "waits"]);
  return sample;
}

function rowsUnder(filter: TreeFilter): string {
  return new TreeScreen(variety().session, filter).rows({ width: 60 });
}

describe("filters", () => {
  it("show prompts, answers, tools and notes by default", () => {
    expect(rowsUnder("default")).toMatchInlineSnapshot(`
      "
         ●  look around                                        4h
         ·  read a.ts                                          4h
         ·  bash npm test  ✕ failed                            4h
         ○  Found it.                                          4h
         ◈  the branch is frozen                               4h
         ●  change it  [here it broke]                         4h
         ·  edit a.ts                                          4h
         ○  rate-limited (429)  ✕ failed                       4h
       ❯ @  bash sleep 9  ← active                             4h

       No side branches yet. e on any prompt starts one.
      "
    `);
  });

  it("hide tools", () => {
    expect(rowsUnder("no-tools")).toMatchInlineSnapshot(`
      "
         ●  look around                                        4h
         ○  Found it.                                          4h
         ◈  the branch is frozen                               4h
         ●  change it  [here it broke]                         4h
         ○  rate-limited (429)  ✕ failed                       4h
       ❯ @  you are here · tools were running                  4h

       No side branches yet. e on any prompt starts one.
      "
    `);
  });

  it("user-only shows your messages and where you are, and nothing else", () => {
    const { session } = parserSession();
    const { rows } = new TreeScreen(session, "user-only").model.rows(initialTree("user-only"));
    const tree = session.getSource().tree;
    for (const { kind, n } of rows) if (kind === "entry") expect(tree.roleOf(n)).toBe(Role.user);
    const open = new TreeScreen(session, "user-only").move((model, state) => openBranch(model, state, 2));
    expect(open.rows({ width: 80 })).not.toMatch(/[◆○◇·] {2}/);
  });

  it("Ctrl+O shows everything and returns, and so does Ctrl+U, to what was chosen with Tab", () => {
    let state = nextFilter(initialTree());
    const filters: TreeFilter[] = [];
    for (const filter of ["all", "all", "all", "user-only", "user-only"] as const) {
      state = toggleFilter(state, filter);
      filters.push(state.filter);
    }
    expect(filters).toEqual(["all", "no-tools", "all", "user-only", "no-tools"]);
    expect(toggleFilter(initialTree("all"), "all").filter).toBe("default");
  });

  it("show one row for a turn", () => {
    expect(rowsUnder("user-only")).toMatchInlineSnapshot(`
      "
         ●  look around                                        4h
         ●  change it  [here it broke]                         4h
       ❯ @  you are here · tools were running                  4h

       No side branches yet. e on any prompt starts one.
      "
    `);
  });

  it("show what has a label", () => {
    expect(rowsUnder("labeled-only")).toMatchInlineSnapshot(`
      "
         ●  change it  [here it broke]                         4h
       ❯ @  you are here · tools were running                  4h
      "
    `);
  });

  it("show bookkeeping, and what an extension hides, only when everything is asked for", () => {
    expect(rowsUnder("all")).toMatchInlineSnapshot(`
      "
         ·  model acme/m-2                                     4h
         ●  look around                                        4h
         ·  read a.ts, 1 more call                             4h
         ·  read a.ts                                          4h
         ·  bash npm test  ✕ failed                            4h
         ○  Found it.                                          4h
         ·  thinking high                                      4h
         ◈  the branch is frozen                               4h
         ◈  only for the model                                 4h
         ▫  guard.state                                        4h
         ●  change it  [here it broke]                         4h
         ·  edit a.ts                                          4h
         ·  edit a.ts                                          4h
         ○  rate-limited (429)  ✕ failed                       4h
         ⚑  label "here it broke"                              4h
       ❯ @  bash sleep 9  ← active                             4h

       No side branches yet. e on any prompt starts one.
      "
    `);
  });

  it("show records beside the path under all", () => {
    const sample = new SampleSession();
    const first = sample.turn("one");
    const answer = sample.session.getLeafId() as string;
    sample.turn("two");
    const end = sample.session.getLeafId() as string;
    sample.session.branch(answer);
    sample.session.appendLabelChange(first, "start");
    sample.session.branch(end);
    expect(new TreeScreen(sample.session, "all").rows({ width: 60 })).toMatchInlineSnapshot(`
      "
         ●  one  [start]                                       4h
         ○  Done.                                              4h
         ⚑  label "start"                                      4h
         ●  two                                                4h
       ❯ @  Done.  ← active                                    4h

       No side branches yet. e on any prompt starts one.
      "
    `);
  });

  it("attach branches to the nearest visible row, and hide those without a label if only labels are shown", () => {
    const { session } = parserSession();
    expect(new TreeScreen(session, "labeled-only").rows()).toMatchInlineSnapshot(`
      "
         ├─▸ #2  try a hand-written lexer  3 turns  [lexer]                        2h
         ●  fix the failing edge cases: empty input, a lone quote, CRLF…  [good]  52m
       ❯ @  you are here · reply finished                                2 files  12m
      "
    `);
  });

  it("keep what was opened, and the selection at the nearest row above", () => {
    const { session } = parserSession();
    const screen = new TreeScreen(session, "default").select(idOf(session, "start from a table"));
    screen.move(openOrStepIn).select(idOf(session, "Faster by 3x"));
    expect(screen.rows()).toContain("❯ │   ○  Faster by 3x, two cases open.");
    screen.set((state) => withFilter(state, "user-only"));
    expect(screen.rows()).toContain("❯ │   ●  drop the table, use switch");
    screen.set((state) => withFilter(state, "default"));
    expect(screen.rows()).toContain("❯ │   ○  Faster by 3x, two cases open.");
  });
});

describe("narrowing", () => {
  it("shows only what changed files, turns included", () => {
    const screen = new TreeScreen(variety().session, "default");
    screen.set((state) => ({ ...state, narrowing: "files" }));
    expect(screen.rows({ width: 60 })).toMatchInlineSnapshot(`
      "
         ·  edit a.ts                                          4h
       ❯ @  you are here · tools were running                  4h
      "
    `);
    screen.set((state) => withFilter(state, "user-only"));
    expect(screen.rows({ width: 60 })).toMatchInlineSnapshot(`
      "
         ●  change it  [here it broke]                         4h
       ❯ @  you are here · tools were running                  4h
      "
    `);
  });

  it("shows only what failed", () => {
    const screen = new TreeScreen(variety().session, "default");
    screen.set((state) => ({ ...state, narrowing: "failed" }));
    expect(screen.rows({ width: 60 })).toMatchInlineSnapshot(`
      "
         ·  bash npm test  ✕ failed                            4h
         ○  rate-limited (429)  ✕ failed                       4h
       ❯ @  you are here · tools were running                  4h
      "
    `);
  });

  it("shows only matches, and branches with matches in them", () => {
    const screen = new TreeScreen(parserSession().session, "user-only");
    const search = new TreeSearch(screen.model, "table");
    search.advance(() => false);
    screen.set((state) => ({ ...withSearch(state, search), narrowing: "matches" }));
    expect(screen.rows()).toMatchInlineSnapshot(`
      "
         └─▸ #2  try a hand-written lexer  3 turns  [lexer]  3 matches inside      2h
       ❯ @  you are here · reply finished                                2 files  12m
      "
    `);
  });
});

function idOf(session: SampleSession["session"], text: string): string {
  return session.getEntries().find((entry) => JSON.stringify(entry).includes(text))?.id ?? "";
}

describe("notes", () => {
  it("say where a summary, a merge and a compaction come from", () => {
    const sample = new SampleSession();
    const { session } = sample;
    sample.turn("wire the tokenizer");
    const fork = session.getLeafId() as string;
    sample.turn("keep the generated one", { tools: 2 });
    const kept = session.getLeafId() as string;
    session.branch(fork);
    const lexer = sample.turn("try a hand-written lexer");
    session.appendLabelChange(lexer, "lexer");
    const tip = session.getLeafId() as string;
    session.branch(kept);
    session.branchWithSummary(fork, "What was tried there.");
    sample.turn("go on");
    const here = session.getLeafId() as string;
    session.branchWithSummary(here, "What the lexer brought.", { mergedTipId: tip });
    session.appendCompaction("short", here, 88_000);
    expect(new TreeScreen(session, "no-tools").rows({ width: 80 })).toMatchInlineSnapshot(`
      "
         ●  wire the tokenizer                                                     4h
         ○  Done.                                                                  4h
         ├─▸ #1  keep the generated one    1 turn                                  4h
         ├─▸ #2  try a hand-written lexer  1 turn  [lexer]                         4h
         ◆  summary of #1, 6 entries                                               4h
         ●  go on                                                                  4h
         ○  Done.                                                                  4h
         ◆  merged #2 lexer                                                        4h
       ❯ @  summarized 88k tokens  ← active                                        4h
      "
    `);
  });
});
