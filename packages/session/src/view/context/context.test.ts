import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answer, says, tree, user } from "../../context/tree-notation.test-support.js";
import { asciiAt, eitherAt, optionsAt, screen } from "../drawn-text.test-support.js";
import type { LayoutOptions } from "../list-layout.js";
import { type ContextItem, contextItem, contextRows } from "./context-rows.js";
import { type ContextListState, layoutContext } from "./layout-context.js";

const ITEMS: readonly ContextItem[] = [
  { id: undefined, kind: "system", title: "instructions and AGENTS.md", tokens: 4_100 },
  { id: undefined, kind: "tools", title: "7 tools", tokens: 1_900 },
  { id: "n", kind: "note", title: "compacted: 41k tokens before", tokens: 3_000, pinned: true },
  { id: "a", kind: "prompt", title: "fix the failing edge cases", tokens: 12 },
  { id: "b", kind: "answer", title: "bash  npm test", tokens: 40, edited: true },
  { id: "c", kind: "result", title: "bash: 2 failing, then all 38 pass", tokens: 0, leftOut: true },
  { id: "d", kind: "result", title: "read: import { lex } from", tokens: 9_800 },
];

function drawn(options: LayoutOptions, state: Partial<ContextListState> = {}): string {
  const sort = state.sort ?? "order";
  const rows = state.rows ?? contextRows(ITEMS, sort);
  const whole = { rows, selected: 3, top: 0, sort, total: 18_852, window: 200_000, ...state };
  return screen(layoutContext(whole, options).lines, options);
}

describe("what the model is shown", () => {
  test("is named by what it is", () => {
    const call = { type: "toolCall" as const, id: "1", name: "bash", arguments: { command: "npm test" } };
    const { entries } = tree("u-a-r-t-x-y-h-f-l-c-b-m", {
      u: says(user("fix\nit")),
      a: says(answer(call)),
      r: says({ role: "toolResult", toolCallId: "1", toolName: "bash", content: [{ type: "text", text: "ok" }] }),
      t: says(answer("Done.", call, { ...call, id: "2" })),
      x: says({ role: "bashExecution", command: "ls", output: "" }),
      y: says({ role: "bashExecution", command: "ls", output: "", excludeFromContext: true }),
      h: { type: "custom_message", customType: "todo", content: "hidden but said", display: false },
      f: { type: "custom_message", customType: "bough.changed-files", content: "a.ts changed", display: false },
      l: { type: "label", targetId: "u", label: "x" },
      c: { type: "compaction", summary: "s", tokensBefore: 41_000, tokensAfter: 3_000 },
      b: { type: "custom", customType: "bough.cherry-pick", data: { via: "merge", sourceIds: ["u"] } },
      m: { type: "model_change", provider: "a", modelId: "b" },
    });
    expect(entries.map((entry) => contextItem(entry, 5)).map((item) => item && [item.kind, item.title])).toEqual([
      ["prompt", "fix it"],
      ["answer", "bash  npm test"],
      ["result", "bash: ok"],
      ["answer", "Done. (+ 2 tool calls)"],
      ["shell", "ls"],
      undefined,
      ["message", "todo: hidden but said"],
      ["note", "a.ts changed"],
      undefined,
      ["note", "summarized 41k tokens into 3k"],
      undefined,
      undefined,
    ]);
    expect(contextItem(tree("u").entries[0] as never, 5, { leftOut: true })).toMatchObject({
      tokens: 0,
      leftOut: true,
    });
  });

  test("is sorted by order or by size, with shares of the whole", () => {
    expect(contextRows(ITEMS, "size").map(({ tokens }) => tokens)).toEqual([9_800, 4_100, 3_000, 1_900, 40, 12, 0]);
    const rows = contextRows(ITEMS, "order");
    expect(rows.map(({ id }) => id)).toEqual(ITEMS.map(({ id }) => id));
    expect(rows.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(contextRows([{ id: "a", kind: "prompt", title: "", tokens: 0 }], "size")[0]?.share).toBe(0);
  });
});

describe("the list of the context", () => {
  test("at 80 columns", () => {
    expect(drawn(optionsAt(80))).toMatchInlineSnapshot(`
      "
       Context · ≈19k of 200k tokens (9%)  ██░░░░░░░░░░░░░░            sort: order (o)
       ───────────────────────────────────────────────────────────────────────────────
         system  instructions and AGENTS.md                 ███             4.1k  22%
         tools   7 tools                                    █               1.9k  10%
         note    compacted: 41k tokens before      [pinned] ██              3.0k  16%
       ❯ prompt  fix the failing edge cases                 █                 12  <1%
         answer  bash  npm test                    [edited] █                 40  <1%
         result  bash: 2 failing, then all 38 p… [left out]                    0   0%
         result  read: import { lex } from                  ██████          9.8k  52%
       ───────────────────────────────────────────────────────────────────────────────
       Enter view   e edit   x leave out   p pin   ? keys                       4 of 7
      "
    `);
  });

  test("at 120 columns, by size, on something that was left out", () => {
    expect(drawn(optionsAt(120), { sort: "size", selected: 6 })).toMatchInlineSnapshot(`
      "
       Context · ≈19k of 200k tokens (9%)  ██░░░░░░░░░░░░░░                                                     sort: size (o)
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         result  read: import { lex } from                                                   ██████████             9.8k  52%
         system  instructions and AGENTS.md                                                  ████                   4.1k  22%
         note    compacted: 41k tokens before                                       [pinned] ███                    3.0k  16%
         tools   7 tools                                                                     ██                     1.9k  10%
         answer  bash  npm test                                                     [edited] █                        40  <1%
         prompt  fix the failing edge cases                                                  █                        12  <1%
       ❯ result  bash: 2 failing, then all 38 pass                                [left out]                           0   0%
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       Enter view   e edit   r restore   p pin   ? keys                                                                 7 of 7
      "
    `);
  });

  test("at 40 columns", () => {
    expect(drawn(optionsAt(40), { selected: 2 })).toMatchInlineSnapshot(`
      "
       Context · ≈19k of 200k tok… sort: order
       ───────────────────────────────────────
         system  instructions and AG…    4.1k
         tools   7 tools                 1.9k
       ❯ note    compacted:… [pinned]    3.0k
         prompt  fix the failing edg…      12
         answer  bash  npm … [edited]      40
         result  bash: 2 … [left out]       0
         result  read: import { lex …    9.8k
       ───────────────────────────────────────
       Enter view  e edit  ? keys       3 of 7
      "
    `);
  });

  test("in ASCII, over the window, on the system prompt", () => {
    expect(drawn(asciiAt(80), { selected: 0, window: 16_000, counted: 18_852 })).toMatchInlineSnapshot(`
      "
       Context - 19k of 16k tokens (118%)  over  ================      sort: order (o)
       -------------------------------------------------------------------------------
       > system  instructions and AGENTS.md                 ===             4.1k  22%
         tools   7 tools                                    =               1.9k  10%
         note    compacted: 41k tokens before      [pinned] ==              3.0k  16%
         prompt  fix the failing edge cases                 =                 12  <1%
         answer  bash  npm test                    [edited] =                 40  <1%
         result  bash: 2 failing, then all 38... [left out]                    0   0%
         result  read: import { lex } from                  ======          9.8k  52%
       -------------------------------------------------------------------------------
       Enter view   ? keys                                                      1 of 7
      "
    `);
  });

  test("says so where it is empty", () => {
    expect(drawn(optionsAt(80), { rows: [], total: 0, window: undefined })).toMatchInlineSnapshot(`
      "
       Context · ≈0 tokens                                             sort: order (o)
       ───────────────────────────────────────────────────────────────────────────────
       The context is empty. Send a prompt and it becomes the first message.
       ───────────────────────────────────────────────────────────────────────────────
       Enter view   ? keys
      "
    `);
  });

  test("is never wider or higher than asked", () => {
    const words = fc.array(fc.constantFrom("a", " ", "界", "👩‍👩‍👧", "x".repeat(30)), { maxLength: 12 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 9 }), (parts, width, height) => {
        const item: ContextItem = {
          id: "a",
          kind: "message",
          title: parts.join(""),
          tokens: 5e9,
          pinned: true,
          edited: true,
        };
        drawn(eitherAt(width, height), { rows: contextRows([item, ...ITEMS], "size"), selected: 4 });
      }),
    );
  });
});
