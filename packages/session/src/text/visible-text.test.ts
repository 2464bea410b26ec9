import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.js";

describe("visible text", () => {
  it.each([
    ["a command behind an operating system command", "echo ok\x1b]0;\x07; rm -r .", "echo ok\\x1b]0;\\x07; rm -r ."],
    [
      "a sequence that would be stripped with its content",
      "echo ok \x1b]x; rm -r .\x07",
      "echo ok \\x1b]x; rm -r .\\x07",
    ],
    ["a carriage return that would overwrite the line", "rm -r .\recho ok", "rm -r .\\recho ok"],
    ["backspaces", "rm\b\bls", "rm\\x08\\x08ls"],
    ["C1 controls", "a\x9b2Kb\x85c", "a\\x9b2Kb\\x85c"],
    ["a right-to-left override", "a\u202ecod.exe", "a\\u202ecod.exe"],
    ["isolates and marks", "\u2066\u2069\u200f\u061c", "\\u2066\\u2069\\u200f\\u061c"],
    ["zero-width characters", "r\u200bm\u200d\u2060\ufeff", "r\\u200bm\\u200d\\u2060\\ufeff"],
    ["a soft hyphen", "rm\u00adx", "rm\\xadx"],
    ["tags beyond the first plane", "ok\u{e0041}\u{e007f}", "ok\\u{e0041}\\u{e007f}"],
    ["variation selectors", "a\ufe0f\u{e0101}", "a\\ufe0f\\u{e0101}"],
    ["letters without a shape", "\u115f\u3164\uffa0\u2800", "\\u115f\\u3164\\uffa0\\u2800"],
    ["spaces that are not the space", "rm\u00a0-r\u2003/\u3000x", "rm\\xa0-r\\u2003/\\u3000x"],
    ["line separators", "a\u2028b\u2029c", "a\\u2028b\\u2029c"],
    ["half a character", "a\ud800b", "a\\ud800b"],
  ])("shows %s", (_name, text, shown) => {
    expect(visibleText(text).text).toBe(shown);
  });

  it("does not change ordinary text of any language, emoji, newlines and tabs", () => {
    const text = "if x:\n\techo 'größer 日本語 עברית ไทย 🙂' \\x1b";
    expect(visibleText(text)).toEqual({ text, hidden: [] });
  });

  it("says which escapes it had to use, each once", () => {
    expect(visibleText("\x1b[2J\x1b[H\u202e")).toEqual({
      text: "\\x1b[2J\\x1b[H\\u202e",
      hidden: ["\\x1b", "\\u202e"],
    });
  });

  it("escapes newlines too in what belongs on one line", () => {
    expect(visibleText("a.txt\n\tb", { newlines: "escape" })).toEqual({ text: "a.txt\\n\\tb", hidden: ["\\n", "\\t"] });
  });
});
