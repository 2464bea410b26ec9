import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requiredText } from "./required-text.js";

describe("the text that every match of a pattern contains", () => {
  test.each([
    ["quench\\w+d", ["quench", "d"]],
    ["time(d )?out", ["time", "out"]],
    ["colou?r", ["colo", "r"]],
    ["ab+c", ["ab", "c"]],
    ["ab{2}c", ["ab", "c"]],
    ["ab{0,3}c", ["a", "c"]],
    ["ab*?c", ["a", "c"]],
    ["a|b", []],
    ["x(a|b)y", ["x", "y"]],
    ["[a|b]y", ["y"]],
    ["[\\]x]y", ["y"]],
    ["a\\.b\\/c", ["a.b/c"]],
    ["\\u0061b\\x41c\\u{1F600}d\\p{Lu}e", ["b", "c", "d", "e"]],
    ["(?<n>a)\\k<n>b", ["b"]],
    ["^a$", ["a"]],
    ["(?:(a\\)[)]))b", ["b"]],
    ["\\bword\\b", ["word"]],
    ["日本?", ["日"]],
    ["😀+x", ["😀", "x"]],
  ])("%j: %j", (source, pieces) => {
    new RegExp(source, "u");
    expect(requiredText(source)).toEqual(pieces);
  });

  test("is in every match", () => {
    const atom = fc.constantFrom("a", "b", "c", ".", "[ab]", "(a|b)", "\\w", "(?:ab)", "a|b", "\\.", "^", "\\u0061");
    const quantifier = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{0,2}", "+?");
    const piece = fc.tuple(atom, quantifier).map(([one, many]) => (one === "^" || one === "a|b" ? one : one + many));
    const source = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "."), maxLength: 12 });
    fc.assert(
      fc.property(source, text, (pattern, content) => {
        const found = new RegExp(pattern, "u").exec(content)?.[0];
        if (found === undefined) return;
        for (const required of requiredText(pattern)) expect(found).toContain(required);
      }),
      { numRuns: 2000 },
    );
  });
});
