import { describe, expect, test } from "vitest";
import { createMatcher, PATTERN_LINE_LIMIT } from "./matcher.js";
import { parseQuery } from "./query.js";

function matches(query: string, text: string, options: { reach?: number; caseSensitive?: boolean } = {}) {
  const parsed = parseQuery(query, { caseSensitive: options.caseSensitive });
  return createMatcher(parsed)(text, options.reach ?? 1000);
}

describe("words", () => {
  test("all have to be there, in any order, also inside of words", () => {
    expect(matches("red fox", "Foxes, bored foxes")).toEqual([
      [0, 3],
      [9, 12],
      [13, 16],
    ]);
    expect(matches("red fox", "Foxes only")).toBeUndefined();
  });

  test("that overlap are one place", () => {
    expect(matches("barn arno", "a barnowl, barn")).toEqual([
      [2, 7],
      [11, 15],
    ]);
  });

  test("are given from the first place on, as far as asked", () => {
    expect(matches("a", "--a-a-a", { reach: 3 })).toEqual([
      [2, 3],
      [4, 5],
    ]);
  });

  test.each([
    ["É", "café", true],
    ["straße", "STRAẞE", true],
    ["straße", "STRASSE", false],
    ["ПРИВЕТ", "привет", true],
    ["σοφος", "ΣΟΦΟΣ", true],
    ["日本", "今日本屋", true],
    ["kelvin", "\u212aelvin", true],
    ["a.b", "axb", false],
    ["(x|y)", "if (x|y) {}", true],
    ["e\u0301", "é", false],
  ])("%j in %j: %j", (query, text, hit) => {
    expect(matches(query, text) !== undefined).toBe(hit);
  });

  test("respect the case on demand", () => {
    expect(matches("Fox", "fox FOX Fox", { caseSensitive: true })).toEqual([[8, 11]]);
  });
});

describe("phrases", () => {
  test("take any white space for a blank", () => {
    expect(matches('"one two three"', "one\n   two\u00a0three")).toEqual([[0, 16]]);
    expect(matches('"one two"', "onetwo")).toBeUndefined();
  });
});

describe("patterns", () => {
  test("see one line at a time", () => {
    expect(matches("re:^b.$", "ab\nbc\nbcd\nBx")).toEqual([
      [3, 5],
      [10, 12],
    ]);
    expect(matches("re:a\\nb", "a\nb")).toBeUndefined();
    expect(matches("re:a.b", "a\nb")).toBeUndefined();
  });

  test("that match nothing are no hit", () => {
    expect(matches("re:x*", "aaa")).toBeUndefined();
    expect(matches("re:x*", "😀xx")).toEqual([[2, 4]]);
  });

  test("see only the start of a very long line", () => {
    const padding = "-".repeat(PATTERN_LINE_LIMIT);
    expect(matches("re:end", `${padding}end`)).toBeUndefined();
    expect(matches("re:end", `${padding}\nend`)).toEqual([[PATTERN_LINE_LIMIT + 1, PATTERN_LINE_LIMIT + 4]]);
  });

  test("are given from the first place on, as far as asked", () => {
    expect(matches("re:a", "--a-a\na-a", { reach: 5 })).toEqual([
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
  });
});
