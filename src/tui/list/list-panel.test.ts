import { describe, expect, it } from "vitest";
import { type Line, span } from "../../view/index.js";
import { frameList } from "../../view/internal.js";
import { type TestDesk, testDesk } from "../desk/desk.test-support.js";
import { bindKeys, type ScreenKey } from "../keys/key-table.js";
import { listEnds, listMoves } from "./list-moves.js";
import { ListPanel } from "./list-panel.js";
import { showPager, textLines } from "./pager.js";

interface Opened {
  readonly desk: TestDesk;
  readonly panel: ListPanel;
  readonly heard: string[];
}

/** A list of numbers with the keys of /fork (typing) or /resume (letters). */
function opened(count: number, name: "fork" | "resume", off: Readonly<Record<string, string>> = {}): Opened {
  const desk = testDesk({ height: 8, width: 30 });
  const heard: string[] = [];
  const all = Array.from({ length: count }, (_, i) => `row ${i}`);
  let rows = all;
  let panel: ListPanel | undefined;
  const kind = name === "fork" ? "typing" : "letters";
  const own = ["enter", "archive", "undo"].map((action): ScreenKey<{ readonly panel: ListPanel }> => {
    const id = `${name}.${action}`;
    return { id, keys: [], help: "", run: () => heard.push(id), disabled: () => off[id] };
  });
  const search = {
    id: `${name}.search`,
    keys: [],
    help: "",
    run: (on: { readonly panel: ListPanel }) => on.panel.startSearch(),
  };
  const table = {
    title: "",
    actions: [...listMoves({ scope: name, thing: "row", kind }), ...own, search, ...listEnds(name, kind)],
  };
  void desk.open<undefined>((done) => {
    panel = new ListPanel(desk, {
      name,
      typing: name === "fork" ? "always" : "asked",
      count: () => rows.length,
      layout: (view, options) => {
        const head: Line[] = [[span("head")], view.search];
        const row = (i: number): Line => [span(rows[i] ?? "")];
        return frameList({ ...view, head, foot: [view.message ?? [span("foot")]], count: rows.length, row }, options);
      },
      onWords: (words) => {
        rows = all.filter((row) => row.includes(words));
      },
      keys: bindKeys(table, {
        get panel() {
          return panel as unknown as ListPanel;
        },
      }),
      close: () => done(undefined),
    });
    return panel;
  });
  return { desk, heard, panel: panel as unknown as ListPanel };
}

describe("a list", () => {
  it("moves by rows and pages, and stays inside", () => {
    const { desk, panel } = opened(100, "resume");
    expect(desk.lines[2]).toBe("row 0");
    desk.press("up");
    expect(panel.selected).toBe(0);
    desk.press("pagedown");
    expect(panel.selected).toBe(4);
    desk.press("j", "j", "k");
    expect(panel.selected).toBe(5);
    desk.press("G", "down");
    expect(panel.selected).toBe(99);
    expect(desk.lines.at(-2)).toBe("row 99");
    desk.press("g");
    expect(desk.lines[2]).toBe("row 0");
  });

  it("keeps the selected row on the screen when the window changes", () => {
    const { desk } = opened(100, "resume");
    desk.press("end");
    for (const height of [30, 4, 1, 12]) {
      desk.resize({ width: 30, height });
      expect(desk.screen).toContain("row 99");
    }
  });

  it("takes letters for words where it is a list to type in", () => {
    const { desk, panel } = opened(100, "fork");
    desk.type("row 9");
    expect(desk.lines[1]).toBe(" > row 9");
    expect(desk.cursor).toEqual({ row: 1, column: 8 });
    expect(desk.lines.slice(2, 4)).toEqual(["row 9", "row 90"]);
    desk.press("backspace");
    desk.paste("42\n");
    expect(panel.words.trim()).toBe("row 42");
    desk.press("esc");
    expect([panel.words, desk.top?.name]).toEqual(["", "fork"]);
    desk.press("esc");
    expect(desk.top).toBeUndefined();
  });

  it("writes in the foot while it searches, and moves with the arrows meanwhile", () => {
    const { desk, panel } = opened(100, "resume");
    desk.press("/");
    desk.type("7");
    expect(desk.lines.at(-1)).toBe(" /7");
    desk.press("down");
    expect(panel.selected).toBe(1);
    desk.press("enter");
    expect([panel.words, desk.lines.at(-1)]).toEqual(["7", "foot"]);
  });

  it("hands over what it does not know, and says why where it is off", () => {
    const { desk, heard } = opened(3, "resume", { "resume.archive": "Not today." });
    desk.press("enter", "x");
    expect(heard).toEqual(["resume.enter"]);
    expect(desk.statusLine).toEqual({ message: "Not today.", level: "warning" });
    expect(desk.press("ctrl+l")).toBe(false);
  });

  it("shows its keys, with the reasons for those that are off", () => {
    const { desk } = opened(3, "resume", { "resume.undo": "Nothing to undo." });
    desk.press("?");
    desk.resize({ width: 80, height: 40 });
    expect(desk.screen).toContain("move this session to the archive");
    expect(desk.screen).toContain("Nothing to undo.");
  });

  it("follows the person's own keys", () => {
    const desk = testDesk({ keys: { "resume.next": ["n"] } });
    expect(desk.keys.hint("resume.next")).toBe("n");
  });
});

describe("a pager", () => {
  it("scrolls, copies all of its text and closes", async () => {
    const desk = testDesk({ width: 20, height: 6 });
    const text = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
    const closed = showPager(desk, { name: "sheet", title: "A text", text, lines: (width) => textLines(text, width) });
    expect(desk.lines).toEqual([" A text", ` ${"─".repeat(19)}`, " line 0", " line 1", " line 2", expect.any(String)]);
    desk.press("down", "space");
    expect(desk.lines[2]).toBe(" line 4");
    desk.press("G");
    expect(desk.lines[4]).toBe(" line 29");
    desk.press("y");
    expect(desk.copied).toEqual([text]);
    desk.press("enter");
    await closed;
  });

  it("draws nothing of what would steer the terminal", () => {
    expect(textLines("a\x1b[2Jb\tc\r\nd\x07", 20)).toEqual([[span(" ab    c")], [span(" d")]]);
  });
});
