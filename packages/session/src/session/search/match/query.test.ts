import { describe, expect, test } from "vitest";
import { SessionError } from "../../../entry/index.js";
import { parseQuery } from "./query.js";

describe("a query of words and phrases", () => {
  test.each([
    ["merge", ["merge"]],
    ["  merge \t conflict ", ["merge", "conflict"]],
    ["merge merge", ["merge"]],
    ['"merge conflict"', ["merge conflict"]],
    ['"merge \n  conflict "', ["merge conflict"]],
    ['fix "merge conflict" soon', ["fix", "merge conflict", "soon"]],
    ['"one two""three"', ["one two", "three"]],
    ['"not closed yet', ["not closed yet"]],
    ['"say \\"hi\\""', ['say "hi"']],
    ['"C:\\dir"', ["C:\\dir"]],
    ['say("hi")', ['say("hi")']],
    ['"" word', ["word"]],
    ["are:you", ["are:you"]],
    ["RE:you", ["RE:you"]],
    ["日本 straße", ["日本", "straße"]],
  ])("%j searches for %j", (query, terms) => {
    expect(parseQuery(query)).toEqual({ kind: "words", terms, caseSensitive: false });
  });

  test.each(["", "  \n", '""', '" "', '"'])("%j is refused: there is nothing to search for", (query) => {
    expect(() => parseQuery(query)).toThrow(
      expect.objectContaining({ code: "bad-query", message: "Nothing to search for" }),
    );
  });
});

describe("a query with re:", () => {
  test("is one pattern, blanks and quotes included", () => {
    expect(parseQuery('re: a "b" ', { caseSensitive: true })).toEqual({
      kind: "pattern",
      source: ' a "b" ',
      caseSensitive: true,
    });
  });

  test.each([
    ["re:(a", "Unterminated group"],
    ["re:a**", "Nothing to repeat"],
    ["re:[b-a]", "Range out of order in character class"],
    ["re:\\y", "Invalid escape"],
    ["re:", undefined],
  ])("%j is refused, and says why", (query, reason) => {
    let error: unknown;
    try {
      parseQuery(query);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SessionError);
    const { code, data } = error as SessionError;
    expect({ code, data }).toEqual({ code: "bad-query", data: { query, ...(reason === undefined ? {} : { reason }) } });
  });
});
