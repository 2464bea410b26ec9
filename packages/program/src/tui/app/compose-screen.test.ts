import { UNICODE_GLYPHS } from "@bough/session/view/index.js";
import { describe, expect, test } from "vitest";
import type { Panel, Size } from "../host/panel.js";
import { createTheme } from "../theme/create-theme.js";
import { composeScreen, type ScreenParts } from "./compose-screen.js";

const host = { theme: createTheme({ name: "default", colours: "plain" }), glyphs: UNICODE_GLYPHS };

function screen(size: Size, more: Partial<ScreenParts> & { readonly panel: Panel }) {
  return composeScreen({
    host,
    size,
    transcript: ({ height }) => ({ lines: Array.from({ length: height }, (_, row) => `said ${row}`) }),
    isEditor: false,
    enlarged: false,
    status: undefined,
    footer: ["footer"],
    ...more,
  });
}

function panel(share: Panel["share"], lines: number): Panel {
  return {
    name: "panel",
    share,
    draw: ({ height }) => ({
      lines: Array.from({ length: Math.min(lines, height) }, (_, row) => `panel ${row}`),
      cursor: { row: 0, column: 2 },
    }),
    handleKey: () => true,
  };
}

describe("a screen", () => {
  test("has the conversation above the editor, what was said last between them, the footer below", () => {
    const { lines, cursor, transcriptRows } = screen(
      { width: 20, height: 8 },
      { panel: panel("fit", 2), isEditor: true, status: { message: "Saved", level: "warning" } },
    );
    expect([lines, cursor, transcriptRows]).toEqual([
      ["said 0", "said 1", "said 2", "said 3", " ⚠ Saved", "panel 0", "panel 1", "footer"],
      { row: 5, column: 2 },
      4,
    ]);
  });

  test("gives a panel half of the window, or all of it when it was made larger", () => {
    const size = { width: 10, height: 16 };
    expect(screen(size, { panel: panel("half", 99) }).lines).toEqual([
      ...["said 0", "said 1", "said 2", "said 3", "said 4", "said 5", "said 6", "──────────"],
      ...["panel 0", "panel 1", "panel 2", "panel 3", "panel 4", "panel 5", "panel 6", "footer"],
    ]);
    expect(screen(size, { panel: panel("half", 99), enlarged: true }).lines.slice(0, 2)).toEqual([
      "panel 0",
      "panel 1",
    ]);
  });

  test("keeps the height of a panel that has little to say, so that nothing jumps", () => {
    const { lines } = screen({ width: 10, height: 16 }, { panel: panel("half", 1) });
    expect(lines.slice(7)).toEqual(["──────────", "panel 0", "", "", "", "", "", "", "footer"]);
  });

  test("says the end of a long sentence in a second and third line, and marks what does not fit", () => {
    const message = "Moved to the parser. #1 keeps its 7 entries. /undo to return.";
    const said = (height: number, words = message) => {
      const status = { message: words, level: "info" } as const;
      const { lines } = screen({ width: 30, height }, { panel: panel("fit", 1), isEditor: true, status });
      return lines.filter((line) => line.startsWith(" "));
    };
    expect(said(24)).toEqual([" Moved to the parser. #1 keeps", " its 7 entries. /undo to", " return."]);
    expect(said(12)).toEqual(said(24));
    expect(said(8)).toEqual([" Moved to the parser. #1 keep…"]);
    expect(said(24, `${message} ${message}`).at(-1)).toBe(" return. Moved to the parser.…");
  });

  test("always is as high as the window, whatever is drawn", () => {
    for (let height = 1; height <= 40; height++) {
      for (const share of ["fit", "half", "full"] as const) {
        for (const isEditor of [true, false]) {
          const status = { message: "Said in a few more words than one line has room for", level: "info" } as const;
          const { lines, cursor } = screen({ width: 20, height }, { panel: panel(share, 9), isEditor, status });
          expect(lines).toHaveLength(height);
          if (cursor !== undefined) expect(cursor.row).toBeLessThan(height);
        }
      }
    }
  });
});
