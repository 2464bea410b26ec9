/** Words of a question find other forms of themselves. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ideaOf, KINDRED } from "./idea.js";
import { makeFilter } from "./word-filter.js";
import { lowered } from "./word-keys.js";
import { stemOf } from "./word-stem.js";

const strengthOf = (text: string, word: string): number => {
  const [term] = ideaOf(word).terms;
  const strength = term?.strength(text, lowered(text)) ?? 0;
  if (strength > 0) expect([text, word, term?.mayBeIn(makeFilter([text], text.length))]).toEqual([text, word, true]);
  return strength;
};

describe("a word", () => {
  test.each([
    ["retries", "we were retrying it"],
    ["caching", "a cache for pages"],
    ["migrations", "migrate the table"],
    ["stopped", "it stops there"],
    ["parallelized", "parallelize the import"],
    ["tries", "a compressed trie"],
    ["tabs", "in one tab"],
    ["queries", "one query per row"],
    ["verifyToken", "server/jwt/verify_token.ts"],
    ["verify_token", "call verifyToken(a)"],
    ["src/jwt/verify_token.ts", "changed jwt/verify_token.ts"],
    ["create-payment-intent", "createPaymentIntent()"],
    ["TS6307", "error TS6307: not listed"],
    ["E0502", "error[E0502]: cannot borrow"],
    ["behaviours", "its behavior"],
    ["colour", "a dark color"],
    ["configuration", "the configurations differ"],
    ["見積もり", "見積もりの計算"],
  ])("%s is found in %j", (word, text) => expect(strengthOf(text, word)).toBeGreaterThan(KINDRED));

  test.each([
    ["delete", "remove the row"],
    ["slow", "the latency of it"],
  ])("%s finds the kindred word in %j, which counts less", (word, text) => {
    expect(strengthOf(text, word)).toBe(KINDRED);
  });

  test.each([
    ["pass", "the pas de deux"],
    ["string", "str"],
    ["UnhandledSchemeException", "failed with an exception"],
    ["tab", "a table"],
    ["process", "the proceeds"],
  ])("%s is not found in %j", (word, text) => expect(strengthOf(text, word)).toBe(0));

  test("has the same stem in all its regular forms", () => {
    for (const [word, forms] of [
      ["retry", "retries retried retrying"],
      ["cache", "caches cached caching"],
      ["migrate", "migrates migrated migrating migration migrations migrator"],
      ["run", "runs running runner"],
      ["batch", "batches batched batching"],
      ["deploy", "deploys deployed deploying deployment"],
    ] as const) {
      expect(new Set(forms.split(" ").map(stemOf))).toEqual(new Set([stemOf(word)]));
    }
  });

  test("passes the filter of every text that has it", () => {
    const piece = fc.constantFrom(
      "retr",
      "ies",
      "ying",
      "Token",
      "verify",
      "_",
      " ",
      ".",
      "ch",
      "es",
      "ca",
      "9",
      "s",
      "計",
    );
    const texts = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
    fc.assert(fc.property(texts, texts, (text, word) => void strengthOf(`${text} ${word}`, word)));
  });
});

describe("a question", () => {
  const textsOf = (question: string) => ideaOf(question).terms.map(({ text }) => text);

  test("is its words without stop words and punctuation", () => {
    expect(textsOf("Did we ever try to cache the pages, and how?")).toEqual(["cache", "pages"]);
  });

  test("of stop words alone keeps them", () => expect(textsOf("how to do it")).toEqual(["how", "to", "do", "it"]));

  test("has phrases in quotes, and their words one by one", () => {
    expect(ideaOf('the "page not  cached", again').exact).toEqual(["page not cached"]);
    expect(textsOf('the "page not  cached", again')).toEqual(["page", "cached"]);
  });

  test("of symbols alone has no words", () => expect(textsOf('-- "" ...')).toEqual([]));
});
