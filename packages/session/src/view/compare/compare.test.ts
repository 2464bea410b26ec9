import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asciiAt, eitherAt, HOUR, NOW, optionsAt, screen } from "../drawn-text.test-support.js";
import { lineWidth } from "../fit-line.js";
import { lineText } from "../line.js";
import type { LayoutOptions } from "../list-layout.js";
import { type CompareState, wordsPair } from "./compare-body.js";
import { type ComparedSide, type Comparison, compareModel, compareText } from "./compare-model.js";
import { layoutCompare } from "./layout-compare.js";
import { wordDifference } from "./word-difference.js";

const step = (entryId: string, prompt: string, toolCalls = 0, errors = 0, answer = "") => ({
  entryId,
  prompt,
  toolCalls,
  errors,
  answer,
});

const A: ComparedSide = {
  tipId: "a9",
  steps: [
    step("a1", "keep the generated one, add tests", 11, 0, "38 tests pass."),
    step("a2", "benchmark both", 9),
    step("a3", "fix the failing edge cases", 9, 1, "All green."),
  ],
  totals: { entries: 60, usage: { dollars: 0.42 } },
  contextTokens: 88_000,
  end: { kind: "answer", text: "All green, grammar kept." },
};

const B: ComparedSide = {
  tipId: "b9",
  steps: [step("b1", "start from a table of states", 4, 2), step("b2", "benchmark both", 7, 0, "Faster by 3x.")],
  totals: { entries: 20, usage: { dollars: 0 } },
  contextTokens: 31_000,
  end: { kind: "failed", text: "overloaded" },
};

const EMPTY: ComparedSide = {
  ...B,
  steps: [],
  totals: { entries: 0, usage: { dollars: 0 } },
  contextTokens: 0,
  end: { kind: "empty", text: "" },
};

const COMPARISON: Comparison = {
  sharedId: "s",
  a: A,
  b: B,
  changed: { onlyA: ["src/lex.test.ts", "grammar.peg"], both: ["src/lex.ts"], onlyB: ["src/table.ts"] },
};

function modelOf(change: Partial<Comparison> = {}) {
  return compareModel({
    comparison: { ...COMPARISON, ...change },
    a: { number: 1, name: "main" },
    b: { number: 4, name: "lexer" },
    shared: { text: "wire the tokenizer into the CLI", time: NOW - 3 * HOUR },
  });
}

const STATE: CompareState = { side: "a", row: 0, top: 0, picked: new Set(), words: false };

function drawn(options: LayoutOptions, state: Partial<CompareState> = {}, model = modelOf()): string {
  return screen(layoutCompare(model, { ...STATE, ...state }, options).lines, options);
}

describe("two branches lined up", () => {
  test("are next to each other in order, and equal prompts are recognized", () => {
    expect(modelOf().rows.map(({ a, b, equal }) => [a?.entryId, b?.entryId, equal])).toEqual([
      ["a1", "b1", false],
      ["a2", "b2", true],
      ["a3", undefined, false],
    ]);
  });

  test("say so where one is above the other, where they share nothing, and where they are one place", () => {
    expect(compareText(modelOf())).toBeUndefined();
    expect(compareText(modelOf({ b: EMPTY }))).toBe("#1 continues #4 with 60 more entries.");
    expect(compareText(modelOf({ a: EMPTY }))).toBe("#4 continues #1 with 20 more entries.");
    expect(compareText(modelOf({ sharedId: null }))).toBe(
      "These branches share no entries; only their ends can be compared.",
    );
    expect(compareText(modelOf({ a: EMPTY, b: EMPTY }))).toBe("Both are the same entry. There is nothing to compare.");
  });
});

describe("the comparison", () => {
  test("side by side at 120 columns", () => {
    expect(drawn(optionsAt(120), { row: 1, picked: new Set(["a1"]) })).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
       parted at "wire the tokenizer into the CLI" · 3h ago
       ───────────────────────────────────────────────────────────┬───────────────────────────────────────────────────────────
       #1 main   3 turns  ≈88k tokens  $0.42                      │ #4 lexer   2 turns  ≈31k tokens
       files  2 only here · 1 in both · 1 only there
         both  src/lex.ts                                         │
         only  src/lex.test.ts  grammar.peg                       │   only  src/table.ts
       ───────────────────────────────────────────────────────────┼───────────────────────────────────────────────────────────
       ✓ keep the generated one, add tests                        │ ● start from a table of states
         11 tools · 38 tests pass.                                │   4 tools, 2 failures
      ❯● benchmark both                                           = ● benchmark both
         9 tools                                                  │   7 tools · Faster by 3x.
       ● fix the failing edge cases                               │
         9 tools, 1 failure · All green.                          │
       ───────────────────────────────────────────────────────────┼───────────────────────────────────────────────────────────
       ends: All green, grammar kept.                             │ ✕ ends with a failure: overloaded
       Tab side   Enter go there   Space pick turn   p cherry-pick   M merge   w words   e export   ? keys
      "
    `);
  });

  test("one below the other at 80 columns", () => {
    expect(drawn(optionsAt(80, 30), { side: "b", row: 1 })).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
       parted at "wire the tokenizer into the CLI" · 3h ago
       ───────────────────────────────────────────────────────────────────────────────
       files  2 only in #1 · 1 in both · 1 only in #4
        both  src/lex.ts
        only #1  src/lex.test.ts  grammar.peg
        only #4  src/table.ts
       ───────────────────────────────────────────────────────────────────────────────
       #1 main   3 turns  ≈88k tokens  $0.42
         ● keep the generated one, add tests
           11 tools · 38 tests pass.
       = ● benchmark both
           9 tools
         ● fix the failing edge cases
           9 tools, 1 failure · All green.
       #4 lexer   2 turns  ≈31k tokens
         ● start from a table of states
           4 tools, 2 failures
       ❯ ● benchmark both
           7 tools · Faster by 3x.
       ───────────────────────────────────────────────────────────────────────────────
       #1 ends: All green, grammar kept.
       #4 ✕ ends with a failure: overloaded
       Tab side   Enter go there   Space pick turn   p cherry-pick   M merge   ? keys
      "
    `);
  });

  test("at 40 columns", () => {
    expect(drawn(optionsAt(40, 20))).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
       parted at "wire the tokeni…" · 3h ago
       ───────────────────────────────────────
       files  2 only in #1 · 1 in both · 1 on…
        both  src/lex.ts
        only #1  src/lex.test.ts  grammar.peg
        only #4  src/table.ts
       ───────────────────────────────────────
       #1 main   3 turns  ≈88k tokens
       ❯ ● keep the generated one, add tests
           11 tools · 38 tests pass.
       = ● benchmark both
           9 tools
         ● fix the failing edge cases
           9 tools, 1 failure · All green.
       #4 lexer   2 turns  ≈31k tokens
       ───────────────────────────────────────
       #1 ends: All green, grammar kept.
       #4 ✕ ends with a failure: overloaded
       Tab side  Enter go there  ? keys
      "
    `);
  });

  test("in ASCII at 100 columns", () => {
    expect(drawn(asciiAt(100), { side: "b" })).toMatchInlineSnapshot(`
      "
       Compare   #1 main  <->  #4 lexer
       parted at "wire the tokenizer into the CLI" - 3h ago
       -------------------------------------------------+-------------------------------------------------
       #1 main   3 turns  ~88k tokens  $0.42            | #4 lexer   2 turns  ~31k tokens
       files  2 only here - 1 in both - 1 only there
         both  src/lex.ts                               |
         only  src/lex.test.ts  grammar.peg             |   only  src/table.ts
       -------------------------------------------------+-------------------------------------------------
       * keep the generated one, add tests              |>* start from a table of states
         11 tools - 38 tests pass.                      |   4 tools, 2 failures
       * benchmark both                                 = * benchmark both
         9 tools                                        |   7 tools - Faster by 3x.
       * fix the failing edge cases                     |
         9 tools, 1 failure - All green.                |
       -------------------------------------------------+-------------------------------------------------
       ends: All green, grammar kept.                   | x ends with a failure: overloaded
       Tab side   Enter go there   Space pick turn   p cherry-pick   M merge   w words   e export   ? keys
      "
    `);
  });

  test("in a low window keeps the title, the selected turn and the keys", () => {
    expect(drawn(optionsAt(100, 8), { row: 2 })).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
       parted at "wire the tokenizer into the CLI" · 3h ago
       ─────────────────────────────────────────────────┬─────────────────────────────────────────────────
      ❯● fix the failing edge cases                     │
         9 tools, 1 failure · All green.                │
       ─────────────────────────────────────────────────┼─────────────────────────────────────────────────
       ends: All green, grammar kept.                   │ ✕ ends with a failure: overloaded
       Tab side   Enter go there   Space pick turn   p cherry-pick   M merge   w words   e export   ? keys
      "
    `);
    expect(drawn(optionsAt(60, 5), { row: 2 })).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
           9 tools
       ❯ ● fix the failing edge cases
           9 tools, 1 failure · All green.
       Tab side   Enter go there   Space pick turn   ? keys
      "
    `);
  });

  test("of one path", () => {
    expect(drawn(optionsAt(100), {}, modelOf({ b: EMPTY }))).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
       #1 continues #4 with 60 more entries.
       ─────────────────────────────────────────────────┬─────────────────────────────────────────────────
       #1 main   3 turns  ≈88k tokens  $0.42            │ #4 lexer   0 turns  0 tokens
       files  2 only here · 1 in both · 1 only there
         both  src/lex.ts                               │
         only  src/lex.test.ts  grammar.peg             │   only  src/table.ts
       ─────────────────────────────────────────────────┼─────────────────────────────────────────────────
      ❯● keep the generated one, add tests              │
         11 tools · 38 tests pass.                      │
       ● benchmark both                                 │
         9 tools                                        │
       ● fix the failing edge cases                     │
         9 tools, 1 failure · All green.                │
       ─────────────────────────────────────────────────┼─────────────────────────────────────────────────
       ends: All green, grammar kept.                   │ nothing after the split
       Tab side   Enter go there   Space pick turn   p cherry-pick   M merge   w words   e export   ? keys
      "
    `);
  });

  test("of what shares nothing shows the ends", () => {
    expect(drawn(optionsAt(80), {}, modelOf({ sharedId: null }))).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
       These branches share no entries; only their ends can be compared.
       ───────────────────────────────────────────────────────────────────────────────
       files  2 only in #1 · 1 in both · 1 only in #4
        both  src/lex.ts
        only #1  src/lex.test.ts  grammar.peg
        only #4  src/table.ts
       ───────────────────────────────────────────────────────────────────────────────
       #1 ends: All green, grammar kept.
       #4 ✕ ends with a failure: overloaded
       Tab side   Enter go there   M merge   e export   ? keys
      "
    `);
  });

  test("says where the cursor is", () => {
    const { lines, cursorRow } = layoutCompare(modelOf(), { ...STATE, row: 1 }, optionsAt(100));
    expect(lineText(lines[cursorRow ?? -1] ?? [])).toContain("benchmark both");
  });

  test("scrolls so that both lines of the selected turn are seen", () => {
    const steps = Array.from({ length: 50 }, (_, n) => step(`t${n}`, `turn ${n}`));
    const model = modelOf({ a: { ...A, steps } });
    for (const width of [100, 60]) {
      for (const row of [0, 7, 30, 49]) {
        const text = drawn(optionsAt(width, 12), { row }, model);
        expect(text).toContain(`turn ${row}`);
        const { lines, cursorRow } = layoutCompare(model, { ...STATE, row }, optionsAt(width, 12));
        expect(lineText(lines[(cursorRow ?? -1) + 1] ?? [])).toContain("no answer");
      }
    }
  });

  test("is never wider or higher than asked", () => {
    const words = fc.array(fc.constantFrom("a", " ", "界", "👩‍👩‍👧", "\u001b[1m", "x".repeat(30)), { maxLength: 12 });
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 130 }), fc.integer({ min: 1, max: 24 }), (parts, width, height) => {
        const text = parts.join("");
        const side = {
          ...A,
          steps: [step("x", text, 3, 1, text), step("y", text)],
          end: { kind: "tool", text } as const,
        };
        const model = compareModel({
          comparison: { sharedId: "s", a: side, b: side, changed: { onlyA: [text], both: [text], onlyB: [text] } },
          a: { number: 1, name: text },
          b: { number: 22, name: text },
          shared: { text, time: NOW },
        });
        for (const change of [{ row: 1 }, { side: "b" as const }, { words: true }])
          drawn(eitherAt(width, height), change, model);
      }),
    );
  });
});

describe("the difference of words", () => {
  test("marks what is only in one text, by signs and tones", () => {
    const [line] = wordDifference("keep the table now", "keep the switch now", 60);
    expect(lineText(line ?? [])).toBe("keep the [-table-]{+switch+} now");
    expect(line?.filter(({ tone }) => tone !== "text").map(({ tone }) => tone)).toEqual(["bad", "good"]);
  });

  test("is shown for the selected row, or for the one turn picked on each side", () => {
    const model = modelOf();
    expect(wordsPair(model, { row: 1, picked: new Set() })).toMatchObject({
      a: { entryId: "a2" },
      b: { entryId: "b2" },
    });
    expect(wordsPair(model, { row: 1, picked: new Set(["a3", "b1"]) })).toMatchObject({
      a: { entryId: "a3" },
      b: { entryId: "b1" },
    });
    expect(drawn(optionsAt(80, 10), { words: true, row: 1, picked: new Set(["a3"]) })).toMatchInlineSnapshot(`
      "
       Compare   #1 main  ↔  #4 lexer
       ───────────────────────────────────────────────────────────────────────────────
       asked
         [-fix-]{+benchmark+} [-the failing edge cases-]{+both+}
       answered
         [-All-]{+Faster+} [-green-]{+by 3x+}.
       Esc back   ? keys
      "
    `);
    expect(drawn(optionsAt(80, 10), { words: true, row: 2 })).toContain(
      "#4 has no turn here. Pick one turn on each side to compare them.",
    );
  });

  test("of texts without anything in common, or of very long ones, ends and is never too wide", () => {
    const long = Array.from({ length: 9000 }, (_, n) => `word${n % 7}-${n}`).join(" ");
    const other = Array.from({ length: 9000 }, (_, n) => `else${n % 5}-${n}`).join(" ");
    for (const line of wordDifference(long, other, 40)) expect(lineWidth(line)).toBeLessThanOrEqual(40);
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 2, max: 30 }),
        (a, b, width) => {
          for (const line of wordDifference(a, b, width)) expect(lineWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
