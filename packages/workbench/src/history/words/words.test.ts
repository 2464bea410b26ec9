/** The filter never hides a text that a query matches. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery } from "./query.js";
import { makeFilter, mayHold } from "./word-filter.js";

const holds = (text: string, query: string): boolean => {
  const { keys, find } = parseQuery(query);
  const found = find(text) !== undefined;
  const passes = mayHold(makeFilter([text], text.length), keys);
  if (found) expect([text, query, passes]).toEqual([text, query, true]);
  return found;
};

describe("a query", () => {
  test.each([
    ["the tokenizer failed", "tokenizer", true],
    ["the tokenizer failed", "TOKEN", true],
    ["the tokenizer failed", "kenizer", false],
    ["call parseConfigFile(x)", "config", true],
    ["call parseConfigFile(x)", "parseConfig", true],
    ["call parseConfigFile(x)", "parseconfigfile", true],
    ["new HTTPServer()", "server", true],
    ["MAX_RETRY_COUNT", "retry", true],
    ["in src/auth/login.ts:12", "auth/login.ts", true],
    ["ECONNRESET while reading", "econnreset", true],
    ["a\n  merge\n conflict", '"merge conflict"', true],
    ["conflict, then merge", '"merge conflict"', false],
    ["conflict, then merge", "merge conflict", true],
    ["id of it", "id", true],
    ["idle", "id", false],
    ["the userId", "id", true],
    ["xHTTPConfig", "httpconf", true],
    ["v2.10", "v2.1", true],
    ["見積もりの計算", "計算", true],
    ["Straße nach Ärger", "ärge", true],
    ["v2.1.0 released", "v2.1", true],
  ])("%j holds %j: %s", (text, query, expected) => {
    const { find } = parseQuery(query);
    expect(find(text) !== undefined).toBe(expected);
  });

  test("passes the filter of every text that contains it", () => {
    const piece = fc.constantFrom(
      "parse",
      "Config",
      "HTTP",
      "x",
      "_",
      " ",
      ".",
      "Ä",
      "計",
      "İ",
      "ß",
      "9",
      "-",
      "\n",
      "É",
    );
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(8), (text, from, length) => {
        const start = text.length === 0 ? 0 : from % text.length;
        const query = text.slice(start, start + length);
        holds(text, query);
        holds(text, `"${query}"`);
      }),
    );
  });

  test("of symbols alone matches nothing", () => {
    expect(parseQuery('-- "" ...').terms).toEqual([]);
  });
});
