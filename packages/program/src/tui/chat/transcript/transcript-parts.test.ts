import { fitted, onlyStyles } from "@bough/agent/terminal/index.js";
import { UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { resetCapabilitiesCache, setCapabilities } from "@earendil-works/pi-tui";
import { afterEach, describe, expect, test } from "vitest";
import { createTheme } from "../../theme/create-theme.js";
import { Folds } from "./folds.js";
import { imageLines } from "./image-lines.js";
import { markdownChunks } from "./markdown-chunks.js";
import { MarkdownLines } from "./markdown-lines.js";
import { anchorAbove, anchorBelow, linesFrom } from "./scroll.js";
import { countLines, firstLines, lastLines, wrapped } from "./text-lines.js";
import { windowLines } from "./transcript.js";

describe("styled text", () => {
  test("keeps colors, and drops everything else that a terminal would act on", () => {
    const text = "\x1b[1;31mred\x1b[0m\x1b[2J\x1b]0;t\x07\x1b[5;5Hx\x9b2Jy\x1bPq\x1b\\z";
    expect(onlyStyles(text, { links: "drop" })).toBe("\x1b[1;31mred\x1b[0mx2Jyz");
  });

  test("keeps links to the web alone", () => {
    const link = (to: string) => `\x1b]8;;${to}\x07word\x1b]8;;\x07`;
    expect(onlyStyles(link("https://a.b/c"), { links: "keep" })).toBe(link("https://a.b/c"));
    expect(onlyStyles(link("https://a.b/c"), { links: "drop" })).toBe("word");
    expect(onlyStyles(link("file:///etc/passwd"), { links: "keep" })).toBe("word\x1b]8;;\x07");
  });
});

describe("pieces of Markdown", () => {
  test("end at blank lines, but not within code, lists or quotes", () => {
    const text = "one\n\ntwo\nlines\n\n- a\n\n- b\n\n  more\n\n```js\nx\n\ny\n```\n\n# end";
    expect(markdownChunks(text).map((chunk) => chunk.text)).toEqual([
      "one",
      "two\nlines\n\n- a\n\n- b\n\n  more",
      "```js\nx\n\ny\n```",
      "# end",
    ]);
  });

  test("stay the same when more text comes", () => {
    const text = "# one\n\ntext\n\n```\ncode\n\nmore\n```\n\nafter\n\nlast";
    for (let end = 0; end < text.length; end++) {
      const before = markdownChunks(text.slice(0, end)).slice(0, -1);
      expect(markdownChunks(text).slice(0, before.length)).toEqual(before);
    }
  });

  test("that would be slow to parse are shown as they are", () => {
    const kinds = ["[a](".repeat(1000), "*a ".repeat(1000), "x".repeat(20_000), `\`\`\`\n${"[".repeat(1000)}\n\`\`\``];
    expect(kinds.map((text) => markdownChunks(text)[0]?.kind)).toEqual(["plain", "plain", "plain", "markdown"]);
  });

  test("a text of megabytes is shown in part, and says so", () => {
    const lines = new MarkdownLines(createTheme({ name: "default", colours: "plain" }), UNICODE_GLYPHS).lines(
      "word ".repeat(1_000_000),
      80,
    );
    expect([lines.length < 3000, lines.at(-1)]).toEqual([true, "~ 4.8 MB more, not shown"]);
  });
});

test("a code block has its language above it, and no backticks", () => {
  const markdown = new MarkdownLines(createTheme({ name: "default", colours: "plain" }), UNICODE_GLYPHS);
  expect(markdown.lines("```ts\nconst a = 1;\n```", 40)).toEqual(["ts", "  const a = 1;"]);
  expect(markdown.lines("before\n\n```\nplain `x`\n```\n\nafter", 40)).toEqual([
    "before",
    "",
    "  plain `x`",
    "",
    "after",
  ]);
});

test("columns of a table are aligned as its second row says", () => {
  const markdown = new MarkdownLines(createTheme({ name: "default", colours: "plain" }), UNICODE_GLYPHS);
  const table =
    "| file | lines | state | note |\n|:---|---:|:---:|---|\n| a.ts | 7 | ok | x |\n| b.ts | 漢字 | **failed** | `y` |";
  expect(markdown.lines(`${table}\n| c.ts | 12,000 | ok | two words |`, 50).join("\n")).toMatchInlineSnapshot(`
    "┌──────┬────────┬────────┬───────────┐
    │ file │  lines │ state  │ note      │
    ├──────┼────────┼────────┼───────────┤
    │ a.ts │      7 │   ok   │ x         │
    ├──────┼────────┼────────┼───────────┤
    │ b.ts │   漢字 │ failed │ y         │
    ├──────┼────────┼────────┼───────────┤
    │ c.ts │ 12,000 │   ok   │ two words │
    └──────┴────────┴────────┴───────────┘"
  `);
  // Each line of a wrapped cell, and a second table after one with other columns.
  expect(
    markdown.lines("| a |\n|-:|\n| one two three |\n\n| a | b |\n|-|-:|\n| 1 | 2 |\n| 10 | 20 |", 11).join("\n"),
  ).toMatchInlineSnapshot(`
    "┌─────────┐
    │       a │
    ├─────────┤
    │ one two │
    │   three │
    └─────────┘

    ┌────┬────┐
    │ a  │  b │
    ├────┼────┤
    │ 1  │  2 │
    ├────┼────┤
    │ 10 │ 20 │
    └────┴────┘"
  `);
});

describe("lines of long texts", () => {
  test("are counted and taken from either end without looking at the rest", () => {
    const text = "a\nb\nc\nd\n";
    expect([countLines(text), countLines(""), countLines("\n"), countLines("x")]).toEqual([4, 0, 0, 1]);
    expect([firstLines(text, 2), firstLines(text, 9), lastLines(text, 2), lastLines(text, 9)]).toEqual([
      "a\nb",
      "a\nb\nc\nd",
      "c\nd",
      "a\nb\nc\nd",
    ]);
  });

  test("are wrapped whole, and no character is cut in two", () => {
    const text = "👩".repeat(5000);
    const lines = wrapped(text, 40);
    expect(lines.join("")).toBe(text);
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(40);
  });

  test("fit by every measure, painted or not", () => {
    const painted = createTheme({ name: "default", colours: "all" }).paint("bad", "漢字".repeat(20));
    for (const width of [1, 2, 5, 20]) {
      const plain = fitted(painted, width).replace(/\x1b\[[0-9;]*m/g, "");
      expect(displayWidth(plain)).toBeLessThanOrEqual(width);
    }
  });
});

describe("the position of the window", () => {
  const pages: Readonly<Record<number, readonly string[]>> = { 0: ["a", "b"], 1: [], 2: ["c"], 3: ["d", "e", "f"] };
  const linesAt = (place: number) => pages[place];

  test("moves over entries that have no lines, and ends at both ends", () => {
    expect(anchorAbove({ place: 3, line: 1 }, 2, linesAt)).toEqual({ place: 2, line: 0 });
    expect(anchorAbove({ place: 3, line: 0 }, 99, linesAt)).toEqual({ place: 0, line: 0 });
    expect(anchorBelow({ place: 0, line: 1 }, 2, linesAt)).toEqual({ place: 3, line: 0 });
    expect(anchorBelow({ place: 0, line: 0 }, 99, linesAt)).toEqual({ place: 3, line: 2 });
  });

  test("up and down again is where it was", () => {
    for (let count = 0; count < 6; count++) {
      const up = anchorAbove({ place: 3, line: 2 }, count, linesAt);
      const [expected] = linesFrom({ place: 3, line: 2 }, 1, linesAt);
      expect(linesFrom(anchorBelow(up, count, linesAt), 1, linesAt)).toEqual([count <= 5 ? expected : undefined]);
    }
  });
});

describe("folds", () => {
  test("one block may differ from its kind until the kind is changed", () => {
    const folds = new Folds();
    folds.toggle("a", "tools");
    expect([folds.isOpen("a", "tools"), folds.isOpen("b", "tools")]).toEqual([true, false]);
    expect(folds.toggleAll("tools")).toBe("open");
    expect([folds.isOpen("a", "tools"), folds.isOpen("b", "tools"), folds.isOpen("a", "notes")]).toEqual([
      true,
      true,
      false,
    ]);
    folds.toggle("a", "tools");
    expect(folds.isOpen("a", "tools")).toBe(false);
  });
});

describe("pictures", () => {
  afterEach(() => resetCapabilitiesCache());
  const data = "iVBORw0KGgoAAAANSUhEUgAAAZAAAACWCAYAAADwkd5lAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const image = { type: "image", data, mimeType: "image/png" } as const;
  const options = { theme: createTheme({ name: "default", colours: "plain" }), width: 80, images: "draw" } as const;

  test("are drawn only where all of their rows are in the window", () => {
    setCapabilities({ images: "kitty", trueColor: true, hyperlinks: false });
    const lines = imageLines(image, options);
    const rows = lines[0]?.image?.rows ?? 0;
    expect([lines[0]?.text, lines.length, rows > 1]).toEqual(["[image 400x150 png]", rows, true]);
    expect(windowLines(lines, rows)[0]).toMatch(/^\x1b_Ga=T,.*\x1b\\$/);
    expect(windowLines(lines, rows - 1)[0]).toBe("[image 400x150 png]");
    expect(windowLines(lines.slice(1), rows)[0]).toBe("");
  });

  test("are named where the terminal cannot, and where they are not what they say", () => {
    setCapabilities({ images: null, trueColor: true, hyperlinks: false });
    expect(imageLines(image, options)).toEqual([{ text: "[image 400x150 png]" }]);
    setCapabilities({ images: "kitty", trueColor: true, hyperlinks: false });
    expect(imageLines({ ...image, data: `${data}\x1b\\evil` }, options)).toEqual([{ text: "[image 400x150 png]" }]);
    expect(imageLines({ ...image, mimeType: "image/jpeg" }, options)).toEqual([{ text: "[image jpeg]" }]);
    expect(imageLines(image, { ...options, images: "name" })).toEqual([{ text: "[image 400x150 png]" }]);
  });
});
