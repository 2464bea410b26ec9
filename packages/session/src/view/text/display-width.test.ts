import { eastAsianWidth } from "get-east-asian-width";
import { expect, test } from "vitest";
import { ASCII_GLYPHS, UNICODE_GLYPHS } from "../glyphs.js";
import { cutToWidth, displayWidth, padToWidth } from "./display-width.js";

/** The width of a grapheme measured without shortcuts. */
function slowWidth(character: string): number {
  if (/^[\p{Mark}\p{Control}\p{Format}]$/u.test(character)) return 0;
  return /\p{Emoji_Presentation}/u.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

test("every single character is as wide as Unicode says", () => {
  const wrong: string[] = [];
  for (let point = 0x20; point < 0x3000; point++) {
    const character = String.fromCodePoint(point);
    // Jamo and other letters whose width depends on what they join.
    if (point >= 0x1100 && point < 0x1200) continue;
    if (/^[\u200b-\u200f\u2028-\u202e\u2060-\u206f]$/.test(character)) continue;
    if (displayWidth(character) !== slowWidth(character)) wrong.push(point.toString(16));
  }
  expect(wrong).toEqual([]);
});

test("wide characters and emoji take two columns, marks none, and joined ones count once", () => {
  expect(["日本", "e\u0301", "👩‍💻", "⚠\ufe0f", "a●b", "ё"].map(displayWidth)).toEqual([4, 1, 2, 2, 3, 1]);
});

test("the signs of the tree take as many columns as characters", () => {
  for (const glyphs of [UNICODE_GLYPHS, ASCII_GLYPHS]) {
    for (const sign of Object.values(glyphs)) expect(displayWidth(sign)).toBe(sign.length);
  }
});

test("cutting never leaves more than was asked for, and padding exactly that", () => {
  for (const text of ["├─▸ #4 try", "日本語のテキスト", "👩‍💻 at work", "plain words"]) {
    for (let width = 0; width < 14; width++) {
      expect(displayWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width);
      expect(displayWidth(padToWidth(text, width))).toBe(width);
    }
  }
});
