import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answer, says, tree, user } from "../../context/tree-notation.test-support.js";
import { asciiAt, eitherAt, optionsAt, screen } from "../drawn-text.test-support.js";
import type { LayoutOptions } from "../list-layout.js";
import { layoutPlan, type PlanModel } from "./layout-plan.js";
import { conflictText, type PlanTurn, planTurns } from "./plan-turns.js";

const TURNS: readonly PlanTurn[] = [
  {
    ids: ["a"],
    title: "drop the table, use switch",
    toolCalls: 7,
    toolResults: 7,
    tokens: 5_200,
    conflicts: ["src/lex.ts"],
  },
  { ids: ["b"], title: "benchmark both", toolCalls: 2, toolResults: 0, tokens: 1_100, conflicts: [] },
  { ids: ["c"], title: "write down why 这个更快", toolCalls: 0, toolResults: 0, tokens: 90, conflicts: [] },
];

const PICK: PlanModel = {
  kind: "cherry-pick",
  from: { number: 4, name: "lexer" },
  onto: { number: 1, name: "main" },
  turns: TURNS,
  dropped: new Set(),
  skipped: [],
};

const { skipped: _none, ...REST } = PICK;
const MERGE: PlanModel = { ...REST, kind: "merge", form: "summary" };

function drawn(model: PlanModel, options: LayoutOptions, selected = 0): string {
  return screen(layoutPlan(model, { selected, top: 0 }, options).lines, options);
}

describe("the turns of a plan", () => {
  const call = (id: string, name: string, path: string) => ({
    type: "toolCall" as const,
    id,
    name,
    arguments: { path },
  });
  const failed = { role: "toolResult", toolCallId: "3", toolName: "edit", content: [], isError: true };
  const ok = (toolCallId: string) => ({
    role: "toolResult",
    toolCallId,
    toolName: "edit",
    content: [],
    isError: false,
  });

  test("start at prompts, count tools, and collide where both sides changed a file", () => {
    const { entries } = tree("x-p-a-r-s-t-q-b-f", {
      x: says(answer("still at it")),
      p: says(user("change it")),
      a: says(answer(call("1", "edit", "src/lex.ts"), call("2", "read", "src/other.ts"))),
      r: says(ok("1")),
      s: says(ok("2")),
      t: says(answer("done")),
      q: { type: "custom_message", customType: "todo", content: "and this", display: true },
      b: says(answer(call("3", "edit", "src/other.ts"))),
      f: says(failed),
    });
    const changedThere = new Set(["src/lex.ts", "src/other.ts"]);
    expect(planTurns(entries, { tokensOf: () => 10, changedThere })).toEqual([
      { ids: ["x"], title: "still at it", toolCalls: 0, toolResults: 0, tokens: 10, conflicts: [] },
      {
        ids: ["p", "a", "r", "s", "t"],
        title: "change it",
        toolCalls: 2,
        toolResults: 2,
        tokens: 50,
        conflicts: ["src/lex.ts"],
      },
      { ids: ["q", "b", "f"], title: "and this", toolCalls: 1, toolResults: 1, tokens: 30, conflicts: [] },
    ]);
  });

  test("without a prompt are named by what was called, not by its output", () => {
    const { entries } = tree("a-r", {
      a: says(answer({ type: "toolCall", id: "1", name: "bash", arguments: { command: "touch a" } })),
      r: says({ ...ok("1"), content: [{ type: "text", text: "(no output)" }] }),
    });
    const titles = planTurns(entries, { tokensOf: () => 1, changedThere: new Set() }).map(({ title }) => title);
    expect(titles).toEqual(["bash touch a"]);
  });

  test("say what collides in one sentence, without those that were dropped", () => {
    const [first, second] = TURNS as [PlanTurn, PlanTurn, PlanTurn];
    const two = [first, { ...second, conflicts: ["src/lex.ts", "a.ts"] }];
    const said = (dropped: number[]) => conflictText(two, { dropped: new Set(dropped), onto: "#1" });
    expect(said([])).toBe("2 turns edit src/lex.ts and 1 more file, which #1 changed later");
    expect(said([1])).toBe("1 turn edits src/lex.ts, which #1 changed later");
    expect(said([0, 1])).toBeUndefined();
  });
});

describe("the plan of a cherry-pick", () => {
  test("at 80 columns", () => {
    expect(drawn(PICK, optionsAt(80))).toMatchInlineSnapshot(`
      "
       Cherry-pick 3 turns from #4 lexer into #1
       ❯ ! drop the table, use switch    7 tools, results included        ≈5.2k tokens
         + benchmark both                2 tools                          ≈1.1k tokens
         + write down why 这个更快                                          ≈90 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are unchanged.
       Enter add to #1   Space drop a turn   Esc back   ? keys
      "
    `);
  });

  test("at 120 columns, with a turn dropped and picks that are not copied", () => {
    const skipped = (["on-this-path", "copied-before", "copied-before"] as const).map((reason) => ({ reason }));
    expect(drawn({ ...PICK, dropped: new Set([0]), skipped }, optionsAt(120), 1)).toMatchInlineSnapshot(`
      "
       Cherry-pick 2 turns from #4 lexer into #1
         - drop the table, use switch                                            7 tools, results included            left out
       ❯ + benchmark both                                                        2 tools                          ≈1.1k tokens
         + write down why 这个更快                                                                                  ≈90 tokens
       Left out: 1 entry already on this path.
       Left out: 2 entries already copied here.
       Conversation only: files on disk are unchanged.
       Enter add to #1   Space drop a turn   Esc back   ? keys
      "
    `);
  });

  test("at 40 columns", () => {
    expect(drawn(PICK, optionsAt(40), 2)).toMatchInlineSnapshot(`
      "
       Cherry-pick 3 turns from #4 lexer into…
         ! drop the table, u…     ≈5.2k tokens
         + benchmark both         ≈1.1k tokens
       ❯ + write down why 这…       ≈90 tokens
         ! 1 turn edits src/lex.ts, which #1
           changed later
       Conversation only: files on disk are
       unchanged.
       Enter add to #1  Esc back  ? keys
      "
    `);
  });

  test("in ASCII, with nothing to copy", () => {
    const skipped = [{ reason: "no-content" as const }];
    expect(drawn({ ...PICK, turns: [], skipped, from: undefined }, asciiAt(80))).toMatchInlineSnapshot(`
      "
       Cherry-pick 0 turns into #1
       There is nothing to copy.
       Left out: 1 entry with nothing to copy.
       Conversation only: files on disk are unchanged.
       Esc back   ? keys
      "
    `);
  });
});

describe("the plan of a merge", () => {
  test("as a summary, at 80 columns", () => {
    expect(drawn(MERGE, optionsAt(80))).toMatchInlineSnapshot(`
      "
       Merge #4 lexer into #1
         ✓ bring a summary of #4        about 600 tokens, written by the model
           bring its turns              3 turns, ≈6.4k tokens
         ! drop the table, use switch    7 tools, results included        ≈5.2k tokens
         + benchmark both                2 tools                          ≈1.1k tokens
         + write down why 这个更快                                          ≈90 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are unchanged.
       Enter bring a summary   Tab bring its turns   Esc back   ? keys
      "
    `);
  });

  test("as turns, at 80 columns in ASCII", () => {
    expect(drawn({ ...MERGE, form: "turns" }, asciiAt(80), 1)).toMatchInlineSnapshot(`
      "
       Merge #4 lexer into #1
           bring a summary of #4        about 600 tokens, written by the model
         v bring its turns              3 turns, ~6.4k tokens
         ! drop the table, use switch    7 tools, results included        ~5.2k tokens
       > + benchmark both                2 tools                          ~1.1k tokens
         + write down why 这个更快                                          ~90 tokens
         ! 1 turn edits src/lex.ts, which #1 changed later
       Conversation only: files on disk are unchanged.
       Enter add to #1   Space drop a turn   Tab bring a summary   Esc back   ? keys
      "
    `);
  });

  test("at 40 columns", () => {
    expect(drawn(MERGE, optionsAt(40))).toMatchInlineSnapshot(`
      "
       Merge #4 lexer into #1
         ✓ bring a summary of #4
           bring its turns
         ! drop the table, u…     ≈5.2k tokens
         + benchmark both         ≈1.1k tokens
         + write down why 这…       ≈90 tokens
         ! 1 turn edits src/lex.ts, which #1
           changed later
       Conversation only: files on disk are
       unchanged.
       Enter bring it  Esc back  ? keys
      "
    `);
  });

  test("that adds nothing says so", () => {
    expect(drawn({ ...MERGE, turns: [] }, optionsAt(80))).toContain("Everything from #4 is already here.");
  });
});

test("a plan is never wider or higher than asked", () => {
  const words = fc.array(fc.constantFrom("a", " ", "界", "👩‍👩‍👧", "x".repeat(30)), { maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 6, max: 130 }), fc.integer({ min: 1, max: 12 }), (parts, width, height) => {
      const text = parts.join("");
      const turn = { ...(TURNS[0] as PlanTurn), title: text, conflicts: [text, "b"] };
      const from = { number: 12, name: text };
      for (const model of [PICK, MERGE, { ...MERGE, form: "turns" } as const]) {
        drawn({ ...model, from, turns: [turn, turn, turn] }, eitherAt(width, height), 2);
      }
    }),
  );
});
