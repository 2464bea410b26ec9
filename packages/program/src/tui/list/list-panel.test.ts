import { span } from "@bough/session/view/index.js";
import { tableScreen } from "@bough/session/view/internal.js";
import { describe, expect, it } from "vitest";
import { type TestHost, testHost } from "../host/host.test-support.js";
import { bindKeys, type ScreenKey } from "../keys/key-table.js";
import { listEnds, listMoves } from "./list-moves.js";
import { ListPanel } from "./list-panel.js";
import { showPager, textLines } from "./pager.js";

interface Opened {
  readonly host: TestHost;
  readonly panel: ListPanel;
  readonly heard: string[];
}

/** A list of numbers with the keys of /fork (typing) or /resume (letters). */
function opened(count: number, name: "fork" | "resume", off: Readonly<Record<string, string>> = {}): Opened {
  const host = testHost({ height: 8, width: 30 });
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
  void host.open<undefined>((done) => {
    panel = new ListPanel(host, {
      name,
      typing: name === "fork" ? "always" : "asked",
      count: () => rows.length,
      layout: (view, options) => {
        const head = { title: "head", below: [view.search], divider: "none" } as const;
        const columns = [{ text: (row: string) => row }];
        const hints = [{ keys: "Enter", text: "foot" }];
        return tableScreen({ head, columns, rows, hints, markWidth: 0 }, view, options);
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
  return { host, heard, panel: panel as unknown as ListPanel };
}

describe("a list", () => {
  it("moves by rows and pages, and stays inside", () => {
    const { host, panel } = opened(100, "resume");
    expect(host.lines[2]).toBe("row 0");
    host.press("up");
    expect(panel.selected).toBe(0);
    host.press("pagedown");
    expect(panel.selected).toBe(4);
    host.press("j", "j", "k");
    expect(panel.selected).toBe(5);
    host.press("G", "down");
    expect(panel.selected).toBe(99);
    expect(host.lines.at(-2)).toBe("row 99");
    host.press("g");
    expect(host.lines[2]).toBe("row 0");
  });

  it("keeps the selected row on the screen when the window changes", () => {
    const { host } = opened(100, "resume");
    host.press("end");
    for (const height of [30, 4, 1, 12]) {
      host.resize({ width: 30, height });
      expect(host.screen).toContain("row 99");
    }
  });

  it("takes letters for words where it is a list to type in", () => {
    const { host, panel } = opened(100, "fork");
    host.type("row 9");
    expect(host.lines[1]).toBe(" > row 9");
    expect(host.cursor).toEqual({ row: 1, column: 8 });
    expect(host.lines.slice(2, 4)).toEqual(["row 9", "row 90"]);
    host.press("backspace");
    host.paste("42\n");
    expect(panel.words.trim()).toBe("row 42");
    host.press("esc");
    expect([panel.words, host.top?.name]).toEqual(["", "fork"]);
    host.press("esc");
    expect(host.top).toBeUndefined();
  });

  it("types in the footer while it searches, and moves with the arrows", () => {
    const { host, panel } = opened(100, "resume");
    host.press("/");
    host.type("7");
    expect(host.lines.at(-1)).toBe(" /7");
    host.press("down");
    expect(panel.selected).toBe(1);
    host.press("enter");
    expect([panel.words, host.lines.at(-1)]).toEqual(["7", " Enter foot"]);
  });

  it("hands over what it does not know, and says why where it is off", () => {
    const { host, heard } = opened(3, "resume", { "resume.archive": "Not today." });
    host.press("enter", "x");
    expect(heard).toEqual(["resume.enter"]);
    expect(host.statusLine).toEqual({ message: "Not today.", level: "warning" });
    expect(host.press("ctrl+l")).toBe(false);
  });

  it("shows its keys, with the reasons for those that are off", () => {
    const { host } = opened(3, "resume", { "resume.undo": "Nothing to undo." });
    host.press("?");
    host.resize({ width: 80, height: 40 });
    expect(host.screen).toContain("move this session to the archive");
    expect(host.screen).toContain("Nothing to undo.");
  });

  it("follows the person's own keys", () => {
    const host = testHost({ keys: { "resume.next": ["n"] } });
    expect(host.keys.hint("resume.next")).toBe("n");
  });
});

describe("a pager", () => {
  it("scrolls, copies all of its text and closes", async () => {
    const host = testHost({ width: 20, height: 6 });
    const text = Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n");
    const closed = showPager(host, { name: "sheet", title: "A text", text, lines: (width) => textLines(text, width) });
    expect(host.lines).toEqual([" A text", ` ${"─".repeat(19)}`, " line 0", " line 1", " line 2", expect.any(String)]);
    host.press("down", "space");
    expect(host.lines[2]).toBe(" line 4");
    host.press("G");
    expect(host.lines[4]).toBe(" line 29");
    host.press("y");
    expect(host.copied).toEqual([text]);
    host.press("enter");
    await closed;
  });

  it("draws nothing of what would steer the terminal", () => {
    expect(textLines("a\x1b[2Jb\tc\r\nd\x07", 20)).toEqual([[span(" ab    c")], [span(" d")]]);
  });
});
