import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asciiAt, eitherAt, optionsAt, screen } from "../drawn-text.test-support.js";
import type { LayoutOptions } from "../list-layout.js";
import { layoutMove, type MovePhase, type MoveQuestion } from "./layout-move.js";

const FACTS: MoveQuestion = {
  branch: { number: 1, name: "main" },
  entries: 7,
  tokens: 4_100,
  files: 2,
  preferred: "none",
  target: "wire the tokenizer",
};

function drawn(phase: MovePhase, options: LayoutOptions, facts: Partial<MoveQuestion> = {}): string {
  return screen(layoutMove({ ...FACTS, ...facts }, phase, options).lines, options);
}

describe("the question about a summary", () => {
  test("at 80 columns", () => {
    expect(drawn({ kind: "ask", model: "the small model" }, optionsAt(80))).toMatchInlineSnapshot(`
      "
       Leaving #1 main: 7 entries, ≈4.1k tokens, 2 files. It stays in the tree.
       Bring a summary?
       ❯ 1 Enter  no            go now
         2 s      yes           ≈4.1k tokens in, about 600 out, on the small model
         3 w      yes, about…   with your instructions
         4 a      stop asking   change it any time: /settings summary
         5 Esc    stay here
      "
    `);
  });

  test("at 120 columns, the first time", () => {
    expect(drawn({ kind: "ask", firstTime: true }, optionsAt(120))).toMatchInlineSnapshot(`
      "
       Leaving #1 main: 7 entries, ≈4.1k tokens, 2 files. It stays in the tree.
       A summary tells the new branch what this one found out.
       Bring a summary?
       ❯ 1 Enter  no            go now
         2 s      yes           ≈4.1k tokens in, about 600 out
         3 w      yes, about…   with your instructions
         4 a      stop asking   change it any time: /settings summary
         5 Esc    stay here
      "
    `);
  });

  test("at 40 columns", () => {
    expect(drawn({ kind: "ask" }, optionsAt(40))).toMatchInlineSnapshot(`
      "
       Leaving #1 main: 7 entries, ≈4.1k
       tokens, 2 files. It stays in the tree.
       Bring a summary?
       ❯ 1 Enter  no
         2 s      yes
         3 w      yes, about…
         4 a      stop asking
         5 Esc    stay here
      "
    `);
  });

  test("in ASCII, without files", () => {
    expect(drawn({ kind: "ask" }, asciiAt(80), { files: 0, entries: 1 })).toMatchInlineSnapshot(`
      "
       Leaving #1 main: 1 entry, ~4.1k tokens. It stays in the tree.
       Bring a summary?
       > 1 Enter  no            go now
         2 s      yes           ~4.1k tokens in, about 600 out
         3 w      yes, about... with your instructions
         4 a      stop asking   change it any time: /settings summary
         5 Esc    stay here
      "
    `);
  });

  test("turned round for /pop", () => {
    const facts = { preferred: "summary" as const, branch: { number: 4, name: "lexer" } };
    expect(drawn({ kind: "ask" }, optionsAt(80), facts)).toMatchInlineSnapshot(`
      "
       Go back to just before "wire the tokenizer"?
       ❯ 1 Enter brings a summary of #4 · 2 n goes without · 3 w says what to keep
       4 Esc stays
      "
    `);
    expect(drawn({ kind: "ask" }, optionsAt(40), facts)).toMatchInlineSnapshot(`
      "
       Go back to just before "wire the
       tokenizer"?
       ❯ 1 Enter brings a summary of #4
       2 n goes without
       3 w says what to keep · 4 Esc stays
      "
    `);
  });

  test("while it is being written", () => {
    expect(drawn({ kind: "progress", seconds: 4 }, optionsAt(80))).toMatchInlineSnapshot(`
      "
       ◆ Summarizing #1 … 4 s   Esc stops it (you stay here)
      "
    `);
    expect(drawn({ kind: "progress", seconds: 4 }, asciiAt(40))).toMatchInlineSnapshot(`
      "
       # Summarizing #1 ... 4 s
       Esc stops it (you stay here)
      "
    `);
  });

  test("after it failed", () => {
    const message = "No summary: the model is rate-limited (429). You are still on #1 main.";
    expect(drawn({ kind: "failed", message }, optionsAt(80))).toMatchInlineSnapshot(`
      "
       No summary: the model is rate-limited (429). You are still on #1 main.
       ❯ 1 Enter goes without a summary · 2 r tries again · 3 Esc stays
      "
    `);
    expect(drawn({ kind: "failed", message }, optionsAt(40))).toMatchInlineSnapshot(`
      "
       No summary: the model is rate-limited
       (429). You are still on #1 main.
       ❯ 1 Enter goes without a summary
       2 r tries again · 3 Esc stays
      "
    `);
  });

  test("is never wider or higher than asked", () => {
    const words = fc.array(fc.constantFrom("a", " ", "界", "👩‍👩‍👧", "\u001b[1m", "x".repeat(30)), { maxLength: 12 });
    fc.assert(
      fc.property(words, fc.integer({ min: 4, max: 130 }), fc.integer({ min: 1, max: 9 }), (parts, width, height) => {
        const text = parts.join("");
        const options = eitherAt(width, height);
        for (const preferred of ["none", "summary"] as const) {
          drawn({ kind: "ask", firstTime: true }, options, {
            preferred,
            target: text,
            branch: { number: 12, name: text },
          });
        }
        drawn({ kind: "failed", message: text }, options);
        drawn({ kind: "progress", seconds: 1234 }, options);
      }),
    );
  });
});
