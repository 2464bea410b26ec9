import { describe, expect, test } from "vitest";
import { withoutControls } from "./safe-text.js";

describe("text from elsewhere", () => {
  test.each([
    ["colours", "a \x1b[31mred\x1b[0m word", "a red word"],
    ["titles of windows, links and clipboards", "x\x1b]0;owned\x07y\x1b]8;;http://a\x1b\\z", "xyz"],
    ["only the start of a sequence without end", "x\x1b]0;owned, and the rest", "x0;owned, and the rest"],
    ["control characters, those of eight bits too", "a\x00b\x07c\x9b31md", "abc31md"],
    ["characters that turn text round or hide", "user\u202etxt.exe\u200b", "usertxt.exe"],
    ["every mark that sets a direction", "a\u061cb\u200ec\u200fd\u202ae\u202cf\u2067g\u2069h", "abcdefgh"],
    ["line ends of other systems", "one\r\ntwo\rthree\tfour", "one\ntwo\nthree\tfour"],
  ])("loses %s", (_name, text, expected) => {
    expect(withoutControls(text)).toBe(expected);
  });
});
