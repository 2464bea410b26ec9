import { ASCII_GLYPHS, span, UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { describe, expect, test } from "vitest";
import { createTheme } from "./create-theme.js";
import { THEMES } from "./styles.js";
import { terminalLook } from "./terminal-look.js";

const plain = (text: string): string => text.replace(/\x1b\[[0-9;]*m/g, "");

describe("tones", () => {
  test("are switched on and off independently, so that they can be nested", () => {
    const theme = createTheme({ name: "default", colours: "all" });
    expect(theme.paint("here", "@")).toBe("\x1b[1;32m@\x1b[22;39m");
    expect(theme.paint("text", "a")).toBe("a");
  });

  test("an extension message fills its lines with purple, whatever colors end inside", () => {
    const on = { default: "\x1b[45;97m", dark: "\x1b[48;5;53;38;5;225m", light: "\x1b[48;5;225;38;5;53m" };
    for (const name of ["default", "dark", "light"] as const) {
      const { fill } = createTheme({ name, colours: "all" });
      expect(fill("custom", "a\x1b[31mb\x1b[39mc", 5)).toBe(`${on[name]}a\x1b[31mb\x1b[39m${on[name]}c  \x1b[0m`);
      expect(fill("custom", "\x1b[38;5;39mx\x1b[0m", 1)).toBe(`${on[name]}\x1b[38;5;39mx\x1b[0m${on[name]}\x1b[0m`);
      expect(fill("text", "x", 3)).toBe("x");
    }
    expect(createTheme({ name: "dark", colours: "none" }).fill("custom", "x", 3)).toBe("x");
  });

  test("a selected row is in reverse video from its first to its last selected span", () => {
    const theme = createTheme({ name: "default", colours: "none" });
    const line = [span("a "), span("b", "select"), span(" "), span("c", "select"), span(" d")];
    expect(theme.line(line)).toBe("a \x1b[7mb\x1b[27m\x1b[7m \x1b[27m\x1b[7mc\x1b[27m d");
  });

  test("without colors there are none, and on a dumb terminal nothing at all", () => {
    const none = createTheme({ name: "dark", colours: "none" });
    const dumb = createTheme({ name: "dark", colours: "plain" });
    for (const tone of ["bad", "accent", "here", "select", "muted"] as const) {
      expect(none.paint(tone, "x")).not.toMatch(/3[0-9]/);
      expect(dumb.paint(tone, "x")).toBe("x");
    }
  });

  test("no theme writes in yellow, blue, white or black of the sixteen", () => {
    for (const styles of Object.values(THEMES)) {
      for (const { colour } of Object.values(styles)) {
        if (typeof colour === "number") expect(colour).toBeGreaterThan(15);
        else expect([undefined, "green", "cyan", "magenta", "red"]).toContain(colour);
      }
    }
  });

  test("a theme that does not exist is the default", () => {
    expect(createTheme({ name: "no such", colours: "all" }).name).toBe("default");
  });
});

describe("what a terminal can show", () => {
  const look = (env: Record<string, string>, more = {}) => terminalLook({ env, platform: "linux", ...more });

  test.each([
    [{ LANG: "en_GB.UTF-8" }, UNICODE_GLYPHS],
    [{ LANG: "C" }, ASCII_GLYPHS],
    [{ LANG: "en_GB.UTF-8", LC_ALL: "C" }, ASCII_GLYPHS],
    [{ LC_CTYPE: "de_DE.utf8" }, UNICODE_GLYPHS],
    [{}, ASCII_GLYPHS],
    [{ TERM: "linux", LANG: "en_GB.UTF-8" }, ASCII_GLYPHS],
  ])("%j", (env, glyphs) => {
    expect(look(env as Record<string, string>).glyphs).toBe(glyphs);
  });

  test("a setting decides over the locale", () => {
    expect([look({}, { glyphs: "unicode" }).glyphs, look({ LANG: "C.UTF-8" }, { glyphs: "ascii" }).glyphs]).toEqual([
      UNICODE_GLYPHS,
      ASCII_GLYPHS,
    ]);
  });

  test("NO_COLOR and TERM=dumb are honoured", () => {
    expect([look({ NO_COLOR: "1" }).theme.colours, look({ NO_COLOR: "" }).theme.colours]).toEqual([false, true]);
    expect(look({ TERM: "dumb" }).theme.paint("here", "@")).toBe("@");
  });

  test("auto uses the background that the terminal reports, and is dark if it reports none", () => {
    const names = ["15;0", "0;15", "0;7", undefined].map(
      (COLORFGBG) => look(COLORFGBG === undefined ? {} : { COLORFGBG }, { theme: "auto" }).theme.name,
    );
    expect(names).toEqual(["dark", "light", "light", "dark"]);
  });
});

describe("highlighting", () => {
  const theme = createTheme({ name: "default", colours: "all" });

  test("paints code and keeps every line and character of it", () => {
    const code = 'const a = "x < y & z";\n// why\n/* over\n   lines */\nreturn 1;';
    const lines = theme.highlight(code, "ts");
    expect(lines.map(plain)).toEqual(code.split("\n"));
    expect([lines[0], lines[1]].map((line) => line?.includes("\x1b["))).toEqual([true, true]);
    // What spans several lines is switched on again in each.
    expect(lines[3]).toMatch(/^\x1b\[/);
  });

  test("does not change what it does not know", () => {
    expect([
      theme.highlight("a\nb", "klingon"),
      theme.highlight("a", undefined),
      theme.highlight("x", "__proto__"),
    ]).toEqual([["a", "b"], ["a"], ["x"]]);
  });

  test("lets nothing through that a terminal would obey", () => {
    expect(theme.highlight("a\x1b]52;c;AAAA\x07b\x1b[2Jc", undefined)).toEqual(["abc"]);
  });
});
