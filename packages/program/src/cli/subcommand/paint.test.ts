import { span } from "@bough/session/view/index.js";
import { describe, expect, test } from "vitest";
import { safeJson } from "../safe-json.js";
import { painter } from "./paint.js";

describe("painting lines", () => {
  const line = [span("@", "here"), span(" you are "), span("here", "strong"), span("   ", "muted")];

  test("without colors only the words are left, without trailing spaces", () => {
    expect(painter("none")(line)).toBe("@ you are here");
  });

  test("colors end after each word", () => {
    expect(painter("sixteen")(line)).toBe("\x1b[1;32m@\x1b[0m you are \x1b[1mhere\x1b[0m");
  });

  test.each(["none", "sixteen"] as const)("with colors %s, no escape sequence of a text is printed", (colours) => {
    const painted = painter(colours)([span("a\x1b[31mb\x1b]0;title\x07c\x9b2Jd\u202ee")]);
    expect(painted).toBe("abc2Jde");
  });
});

describe("JSON for a terminal", () => {
  test("control characters and characters that reorder text are escaped, and read back the same", () => {
    const value = { text: "\x1b[31m\x7f\x9b\u202e\u2028 ä 漢" };
    const text = safeJson(value);
    expect(text).toBe('{"text":"\\u001b[31m\\u007f\\u009b\\u202e\\u2028 ä 漢"}');
    expect(JSON.parse(text)).toEqual(value);
  });
});
