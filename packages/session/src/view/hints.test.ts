import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutLine, fitLine, lineWidth, padLine, rule, selectLine } from "./fit-line.js";
import { ASCII_GLYPHS, UNICODE_GLYPHS } from "./glyphs.js";
import { type Hint, hintLine } from "./hints.js";
import { lineText, span } from "./line.js";
import { scrolledTop } from "./list-layout.js";
import { displayWidth } from "./text/display-width.js";
import { wrapWords } from "./text/wrap-words.js";

const HINTS: readonly Hint[] = [
  { keys: "Enter", text: "go to its end" },
  { keys: "d", text: "compare with @", priority: 1 },
  { keys: "M", text: "merge here" },
  { keys: "", text: "not bound" },
  { keys: "?", text: "keys" },
];

describe("the line of hints", () => {
  test("drops from the right by priority and keeps Enter and ?", () => {
    const at = (width: number) => lineText(hintLine(HINTS, width, "3 of 9"));
    expect(at(80)).toBe(" Enter go to its end   d compare with @   M merge here   ? keys           3 of 9");
    expect(at(62)).toBe(" Enter go to its end   d compare with @   ? keys        3 of 9");
    expect(at(40)).toBe(" Enter go to its end  ? keys      3 of 9");
    expect(at(26)).toBe(" Enter go to its end  ?");
    expect(at(20)).toBe(" Enter go to its  ?");
    expect(at(9)).toBe(" Enter  ?");
  });

  test("shows keys as keys", () => {
    expect(hintLine([{ keys: "Enter", text: "go" }], 40)).toEqual([span(" "), span("Enter", "accent"), span(" go")]);
  });
});

describe("a line that has to fit", () => {
  test("gives the right end its place and cuts the left", () => {
    expect(lineText(fitLine([span(" a long title")], [span("9 branches")], 20))).toBe(" a long … 9 branches");
    expect(lineText(fitLine([span(" a long title")], [span("9 branches")], 15))).toBe(" a long title");
    expect(lineText(fitLine([span("a")], [span("b")], 6))).toBe("a    b");
  });

  test("is exactly as wide as asked when it is filled up or selected, and never wider when cut", () => {
    const text = fc.array(fc.constantFrom("a", " ", "界", "👩‍👩‍👧", "é", "́", "─", "x".repeat(9)), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.integer({ min: 0, max: 40 }), (parts, width) => {
        const line = parts.map((part) => span(part.join("")));
        expect(lineWidth(cutLine(line, width))).toBeLessThanOrEqual(width);
        expect(lineWidth(padLine(line, width))).toBe(width);
        expect(lineWidth(selectLine(line, width))).toBe(width);
        expect(lineWidth(fitLine(line, [span("right")], width))).toBeLessThanOrEqual(width);
        expect(lineWidth(hintLine([{ keys: "Enter", text: parts.flat().join("") }], width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  test("is crossed where columns meet", () => {
    expect(lineText(rule(12, UNICODE_GLYPHS, [{ at: 6, glyph: UNICODE_GLYPHS.ruleDown }]))).toBe(" ─────┬─────");
    expect(lineText(rule(6, ASCII_GLYPHS))).toBe(" -----");
    expect(lineText(rule(0, ASCII_GLYPHS))).toBe("");
  });
});

describe("a list that scrolls", () => {
  test("moves as little as it must to show the selected row", () => {
    expect(scrolledTop({ count: 100, selected: 5, height: 10, top: 0 })).toBe(0);
    expect(scrolledTop({ count: 100, selected: 12, height: 10, top: 0 })).toBe(3);
    expect(scrolledTop({ count: 100, selected: 2, height: 10, top: 3 })).toBe(2);
    expect(scrolledTop({ count: 4, selected: 3, height: 10, top: 50 })).toBe(0);
    expect(scrolledTop({ count: 0, selected: 0, height: 0, top: 0 })).toBe(0);
  });
});

describe("wrapped words", () => {
  test("break at spaces, and inside a word that is too long", () => {
    expect(wrapWords("keep the generated one\n\nand antidisestablishment", 10)).toEqual([
      "keep the",
      "generated",
      "one",
      "",
      "and",
      "antidisest",
      "ablishment",
    ]);
  });

  test("lose nothing but spaces and are never too wide", () => {
    const text = fc.array(fc.constantFrom("ab", " ", "界", "👍🏽", "\n", "longer-word"), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (parts, width) => {
        const lines = wrapWords(parts.join(""), width);
        expect(lines.join("").replace(/[ \n]/g, "")).toBe(parts.join("").replace(/[ \n]/g, ""));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
