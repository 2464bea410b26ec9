import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeExcerpt } from "./excerpt.js";
import type { Match } from "./match/matcher.js";

/** The excerpt with brackets around the matches. */
function drawn(text: string, matches: readonly Match[], length: number): string {
  const made = makeExcerpt(text, matches, length);
  let shown = "";
  let at = 0;
  for (const [start, end] of made.matches) {
    shown += `${made.excerpt.slice(at, start)}[${made.excerpt.slice(start, end)}]`;
    at = end;
  }
  return shown + made.excerpt.slice(at);
}

describe("an excerpt", () => {
  test("of a short text is the text", () => {
    expect(drawn("a red fox", [[2, 5]], 40)).toBe("a [red] fox");
  });

  test("is one line", () => {
    expect(drawn("\n\n  one\n\ttwo  three", [[4, 12]], 40)).toBe("[one two] three");
  });

  test("shows some text before the match and more behind it, and says where it was cut", () => {
    const text = "0123456789 needle abcdefghijklmnopqrstuvwxyz";
    expect(drawn(text, [[11, 17]], 18)).toBe("…789 [needle] abcdefg…");
  });

  test("holds the other matches near the first", () => {
    expect(
      drawn(
        "fox, fox and far away a fox",
        [
          [0, 3],
          [5, 8],
          [24, 27],
        ],
        12,
      ),
    ).toBe("[fox], [fox] and…");
  });

  test("cuts a match that is longer than itself", () => {
    expect(drawn("aaaaaaaaaaaaaaaaaaaa", [[0, 20]], 5)).toBe("[aaaaa]…");
  });

  test("never splits a character, and its matches are inside", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "\n", "😀", "é"), minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 30 }), (content, seed, length) => {
        const characters = [...content];
        const before = characters.slice(0, seed % characters.length).join("").length;
        const character = characters[seed % characters.length] as string;
        const made = makeExcerpt(content, [[before, before + character.length]], length);
        expect(/\p{Cs}/u.test(made.excerpt)).toBe(false);
        expect(/\s\s|\n/.test(made.excerpt)).toBe(false);
        for (const [start, end] of made.matches)
          expect(made.excerpt.slice(start, end)).toBe(character.replace("\n", " "));
      }),
    );
  });
});
