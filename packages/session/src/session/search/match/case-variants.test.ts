import { expect, test } from "vitest";
import { caseVariants } from "./case-variants.js";

test.each([
  ["a", ["a", "A"]],
  ["K", ["K", "k", "\u212a"]],
  ["s", ["s", "S", "\u017f"]],
  ["1", ["1"]],
  ["é", ["é", "É"]],
  ["ß", ["ß", "ẞ"]],
  ["Σ", ["Σ", "ς", "σ"]],
  ["я", ["я", "Я"]],
  ["日", ["日"]],
  ["𐐀", ["𐐀", "𐐨"]],
])("the variants of %s are %j", (character, variants) => {
  expect(caseVariants(character)).toEqual(variants);
});

test("for a pattern without case, every other character matches only itself", () => {
  const cased: string[] = [];
  const others: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const changes = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u.test(character);
    (changes ? cased : others).push(character);
  }
  expect(cased.length).toBeGreaterThan(2000);
  expect(others.join("").match(new RegExp(`[a-zA-Z${cased.join("")}]`, "giu"))).toBe(null);
});

test("an ASCII letter has no variants but those that are known", () => {
  const known = new Set(["k", "s"]);
  const beyond = Array.from({ length: 0x1ff80 }, (_, at) => 0x80 + at).filter((code) => code < 0xd800 || code > 0xdfff);
  const text = String.fromCodePoint(...beyond.slice(0, 60_000)) + String.fromCodePoint(...beyond.slice(60_000));
  for (const letter of "abcdefghijklmnopqrstuvwxyz") {
    expect(new RegExp(letter, "iu").test(text)).toBe(known.has(letter));
  }
});
