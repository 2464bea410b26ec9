import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./cli-support.js";
import { command, expectGivenBack, say, sitDown } from "./terminal-support.js";

const PAGE = readFileSync(fileURLToPath(new URL("../../docs/extensions.md", import.meta.url)), "utf8");

const SHOW = `
export default function (bough) {
  bough.on("session_start", (_event, { ui }) => {
    ui.setTitle("a show");
    ui.setStatus("mode", ui.theme.fg("success", "mode: show"));
    ui.setHeader((tui, theme) => ({ render: () => [theme.bold(" The header, " + tui.terminal.columns + " columns")] }));
    ui.setWidget("above", [" above the editor"]);
    ui.setWidget("below", () => ({ render: (width) => ["=".repeat(width)] }), { placement: "belowEditor" });
  });
  bough.registerCommand("footer", {
    handler(_args, { ui }) {
      ui.setFooter((_tui, theme, data) => ({
        render: () => [theme.fg("accent", " own footer with ") + [...data.getExtensionStatuses().keys()].join()],
      }));
    },
  });
  bough.registerCommand("limits", {
    async handler(_args, { ui }) {
      const late = await ui.confirm("Wait for it?", "It closes by itself", { timeout: 300 });
      const first = await ui.custom((_tui, _theme, keys, done) => ({
        render: () => [" in place of the editor"],
        handleInput: (data) => keys.matches(data, "tui.select.confirm") && done("confirmed"),
      }));
      const second = await ui.custom((_tui, theme, _keys, done) => ({
        render: (width) => [theme.bg("selectedBg", " overlay of " + width + " columns ".padEnd(5)), " q closes"],
        handleInput: (data) => data === "q" && done({ by: "q" }),
      }), { overlay: true, overlayOptions: { width: 34, anchor: "center" } });
      ui.setEditorText([late, first, second.by].join("|"));
    },
  });
  bough.registerCommand("breaks", {
    handler(_args, { ui }) {
      ui.setWidget("bad", () => ({ render: () => { throw new Error("it broke"); } }));
    },
  });
  bough.registerTool({
    name: "read", description: "Reads", parameters: { type: "object", properties: { path: { type: "string" } } }, readOnly: true,
    execute: () => ({ content: [{ type: "text", text: "the real output" }], details: { lines: 7 }, isError: false }),
    renderCall: (args, theme) => ({ render: () => [theme.fg("accent", "reading <" + args.path + ">")] }),
    renderResult: (result) => ({ render: () => [result.details.lines + " lines, drawn by the extension"] }),
  });
  bough.registerShortcut("alt+w", { handler: ({ ui }) => ui.setWidget("above", undefined) });
}
`;

function placeWith(name: string, body: string): Place {
  const place = makePlace();
  const folder = join(place.home, "extensions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), body);
  return place;
}

describe("what an extension shows in a real terminal", () => {
  test("header, status, widgets, footer and title at 40, 80 and 120 columns", async () => {
    const seat = sitDown({ place: placeWith("show.js", SHOW) });
    const { terminal } = seat;
    const atEveryWidth = async (look: (columns: number) => Promise<unknown>): Promise<void> => {
      for (const columns of [40, 120, 80]) {
        terminal.resize(columns, 24);
        await look(columns);
      }
    };
    await atEveryWidth(async (columns) => {
      await terminal.shows(`The header, ${columns} columns`);
      await terminal.shows(/ above the editor\n─+\n›[^\n]*\n=+\n.*\n mode: show\s*$/);
      await terminal.shows(() => terminal.lines.includes("=".repeat(columns)));
    });
    expect(terminal.raw).toContain("\x1b]0;a show\x07");
    await command(seat, "/footer", "own footer with mode");
    await atEveryWidth((columns) =>
      terminal.shows((text) => text.includes(`${columns} columns`) && text.includes("own footer with mode")),
    );
    terminal.press("alt+w");
    await terminal.shows((text) => !text.includes("above the editor"));
    await command(seat, "/breaks", /Extension show: widget bad failed and\s+was closed: it broke/);
    terminal.press("ctrl+d");
    expect(await terminal.ends()).toBe(0);
    expectGivenBack(seat);
  });

  test("a question with a limit, a component with a result, an overlay, a text for the editor, and a tool that is drawn by its renderers", async () => {
    const seat = sitDown({ place: placeWith("show.js", SHOW) });
    const { terminal } = seat;
    await terminal.shows("The header");
    await command(seat, "/limits", /Wait for it\?\s+\d s|in place of the editor/);
    await terminal.shows("in place of the editor");
    terminal.press("x").press("enter");
    await terminal.shows("overlay of 34 columns");
    expect(terminal.text).toContain("The header");
    terminal.press("q");
    await terminal.shows("false|confirmed|q");
    terminal.press("ctrl+u");
    await say(seat, "read notes.txt", "reading <notes.txt>");
    await terminal.shows("7 lines, drawn by the extension");
  });

  test("the first example about the user interface in docs/extensions.md does what the page says", async () => {
    const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(PAGE.slice(PAGE.indexOf("\n## User interface"))) ?? [];
    const seat = sitDown({ place: placeWith("focus.ts", code) });
    const { terminal } = seat;
    await terminal.shows("New session");
    await command(seat, "/focus", "What are you working on?");
    (await terminal.yieldNow()).type("the lexer").press("enter");
    await terminal.shows(/How big is it\?\s+\d+ s/);
    (await terminal.yieldNow()).press("down").press("enter");
    await terminal.shows("Start now?");
    expect(terminal.text).toMatch(/ the lexer, large\n[\s\S]* focus: the lexer/);
    terminal.press("y");
    await terminal.shows("Let us work on the lexer.");
  });
});
