import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "@bough/agent/extension/index.js";
import type { UiOverlayHandle, UiTheme } from "@bough/agent/extension/ui.js";
import type { AssistantMessage } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { Box, Container, Input, SelectList, SettingsList, Spacer, Text } from "@earendil-works/pi-tui";
import { describe, expect, test } from "vitest";
import { TestApp, type TestAppOptions } from "../app/app.test-support.js";

const ANSWER = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "deep thoughts" },
    { type: "text", text: "Hello!" },
  ],
  api: "x",
  provider: "x",
  model: "x",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  stopReason: "stop",
  timestamp: 0,
} as unknown as AssistantMessage;

const asIs = (text: string) => text;
const LIST = { selectedPrefix: asIs, selectedText: asIs, description: asIs, scrollInfo: asIs, noMatch: asIs };

function boxed(text: Text): Box {
  const box = new Box(1, 0);
  box.addChild(text);
  return box;
}

/** An extension with one command, `/go`, which has run once this resolves. */
async function appWith(
  go: (context: CommandContext) => void | Promise<void>,
  options: TestAppOptions = {},
): Promise<TestApp> {
  const app = await TestApp.open({
    rows: 20,
    ...options,
    extension: (bough) => bough.registerCommand("go", { handler: (_args, context) => go(context) }),
  });
  await app.shows(/new session|resumed/i);
  app.type("/go");
  app.press("enter");
  return app;
}

/** The lower part of the screen, without the folder's name. */
async function foot(app: TestApp, rows: number): Promise<readonly string[]> {
  return (await app.lines()).slice(-rows).map((line) => line.replace(/^.*bough-test-.*$/, "(footer)"));
}

const WRITE_HERE = "› Describe a task, or type / for commands, @ for files, ! for the shell";

describe("what an extension shows", () => {
  test.each([40, 80, 120])("status, widgets and header at %i columns", async (columns) => {
    const app = await appWith(
      ({ ui }) => {
        ui.setStatus("build", ui.theme.fg("success", "build ok"));
        ui.setStatus("tests", `3 of 7 tests${"\x1b[2J\x1b]0;stolen\x07"}`);
        ui.setWidget("todo", ["[ ] write", "[x] read"]);
        ui.setWidget("wide", (_tui, theme) => ({ render: (width) => [theme.fg("muted", "~".repeat(width))] }), {
          placement: "belowEditor",
        });
        ui.setHeader((_tui, theme) => boxed(new Text(theme.bold("My header"), 0, 0)));
      },
      { columns },
    );
    await app.shows("My header");
    expect((await app.lines())[0]).toBe(" My header");
    expect(await foot(app, 7)).toEqual([
      "[ ] write",
      "[x] read",
      "─".repeat(columns),
      expect.stringMatching(/^› Describe a task, /),
      "~".repeat(columns),
      "(footer)",
      " build ok · 3 of 7 tests",
    ]);
    await app.close();
  });

  test("is removed again, and a low window shows the editor first", async () => {
    const app = await appWith(({ ui }) => {
      ui.setWidget("todo", ["[ ] write"]);
      ui.setFooter((_tui, theme, data) => ({
        render: () => [theme.fg("accent", "own footer"), [...data.getExtensionStatuses()].join(" ")],
      }));
      ui.setStatus("mode", "fast");
    });
    await app.shows("own footer");
    expect(await foot(app, 5)).toEqual(["[ ] write", "─".repeat(80), WRITE_HERE, "own footer", "mode,fast"]);
    app.resize(80, 6);
    expect(await foot(app, 2)).toEqual([WRITE_HERE, "own footer"]);
    app.terminal.ui.setWidget("todo", undefined);
    app.terminal.ui.setFooter(undefined);
    app.terminal.ui.setStatus("mode", undefined);
    app.resize(80, 20);
    expect((await foot(app, 3)).slice(0, 2)).toEqual(["─".repeat(80), WRITE_HERE]);
    expect(await foot(app, 1)).toEqual(["(footer)"]);
    await app.close();
  });

  test("a long widget is cut, and its end is marked", async () => {
    const app = await appWith(
      ({ ui }) =>
        ui.setWidget(
          "log",
          Array.from({ length: 50 }, (_, row) => `line ${row}`),
        ),
      {
        rows: 60,
      },
    );
    const screen = await app.shows("line 9");
    expect(screen).not.toContain("line 10");
    expect((await foot(app, 4))[0]).toBe(" …");
    await app.close();
  });

  test("disappears all at once, as before extensions are reloaded", async () => {
    const app = await appWith(({ ui }) => {
      ui.setStatus("mode", "fast");
      ui.setWidget("todo", ["[ ] write"]);
      ui.setHeader(() => ({ render: () => ["My header"] }));
      ui.setFooter(() => ({ render: () => ["own footer"] }));
      ui.onTerminalInput(() => ({ consume: true }));
      void ui.custom<undefined>(() => ({ render: () => ["floating"] }), { overlay: true });
    });
    await app.shows("floating");
    app.terminal.ui.reset?.();
    const screen = await app.shows("New session");
    for (const gone of ["fast", "[ ] write", "My header", "own footer", "floating"]) expect(screen).not.toContain(gone);
    app.type("typed");
    await app.shows("typed");
    await app.close();
  });

  test("folded thinking has the label that was chosen, and tool output opens and closes", async () => {
    const session = (folder: string) => {
      const made = SessionManager.create(folder, join(folder, "sessions"));
      made.appendMessage({ role: "user", content: "hello", timestamp: 0 });
      made.appendMessage(ANSWER);
      return made;
    };
    const states: boolean[] = [];
    const app = await appWith(
      ({ ui }) => {
        ui.setHiddenThinkingLabel("pondering\x1b[2J");
        states.push(ui.getToolsExpanded());
        ui.setToolsExpanded(true);
        states.push(ui.getToolsExpanded());
      },
      { session },
    );
    const screen = await app.shows("pondering");
    expect(screen).not.toContain("deep thoughts");
    expect(states).toEqual([false, true]);
    app.terminal.ui.setHiddenThinkingLabel();
    await app.shows("thinking: deep thoughts");
    await app.close();
  });

  test("the title is sent to the terminal, without characters that could end it, and is restored at the end", async () => {
    const app = await appWith(({ ui }) => ui.setTitle("tests\x07\x1b[2Jrun"));
    await app.shows("session");
    expect(app.port.written).toContain("\x1b]0;testsrun\x07");
    await app.close();
    expect(app.port.written).toContain("\x1b[23;0t");
  });

  test("the editor is read, filled and pasted into", async () => {
    const seen: string[] = [];
    const app = await appWith(({ ui }) => {
      ui.setEditorText("fix ");
      ui.pasteToEditor("the parser");
      seen.push(ui.getEditorText());
    });
    await app.shows("fix the parser");
    expect(seen).toEqual(["fix the parser"]);
    await app.close();
  });

  test("another theme is used at once, and one that does not exist is refused", async () => {
    const said: unknown[] = [];
    const app = await appWith(({ ui }) => {
      said.push(ui.getAllThemes().map(({ name }) => name));
      said.push(ui.setTheme("dark"), ui.theme.name, ui.setTheme("solarized").success, ui.getTheme("light")?.name);
    });
    await app.shows("session");
    expect(said).toEqual([["default", "dark", "light"], { success: true }, "dark", false, "light"]);
    await app.close();
  });
});

describe("themes of an extension", () => {
  async function themed(go: (context: CommandContext) => void): Promise<TestApp> {
    const folder = mkdtempSync(join(tmpdir(), "bough-themes-"));
    const colors = { accent: "#ff8800", muted: 201, border: 201, text: "", selectedBg: "#000080" };
    writeFileSync(join(folder, "sea.json"), JSON.stringify({ name: "sea", colors }));
    const app = await TestApp.open({
      rows: 20,
      extension: (bough) => {
        bough.on("resources_discover", () => ({ themePaths: [folder] }));
        bough.registerCommand("go", { handler: async (_args, context) => go(context) });
      },
    });
    await app.shows(/session/i);
    app.type("/go");
    app.press("enter");
    rmSync(folder, { recursive: true });
    return app;
  }

  test("are listed with their file, used for everything on the screen, and given back by name", async () => {
    const said: unknown[] = [];
    const app = await themed(({ ui }) => {
      said.push(ui.getAllThemes().map(({ name, path }) => [name, path?.endsWith("/sea.json")]));
      const before = ui.theme.name;
      said.push(ui.getTheme("sea")?.fg("accent", "x"), ui.setTheme("sea"), ui.theme.name, before);
      said.push(ui.theme.fg("accent", "x"), ui.theme.bg("selectedBg", "x"), ui.theme.getFgAnsi("muted"));
      ui.notify("done");
    });
    await app.shows("done");
    expect(said).toEqual([
      [
        ["default", undefined],
        ["dark", undefined],
        ["light", undefined],
        ["sea", true],
      ],
      ...["\x1b[38;5;208mx\x1b[39m", { success: true }, "sea", "default"],
      ...["\x1b[38;5;208mx\x1b[39m", "\x1b[48;5;18mx\x1b[49m", "\x1b[38;5;201m"],
    ]);
    expect(app.port.written.slice(app.port.written.lastIndexOf("done") - 4000)).toContain("\x1b[38;5;201m");
    await app.close();
  });

  test("may be separate objects, and one that is not a theme is refused", async () => {
    const said: unknown[] = [];
    const app = await themed(({ ui }) => {
      const own = {
        ...(ui.getTheme("dark") as UiTheme),
        name: "mine",
        fg: (color: string, text: string) => (color === "border" ? `\x1b[38;5;99m${text}\x1b[39m` : text),
      };
      said.push(ui.setTheme(own), ui.theme.name, ui.setTheme({} as UiTheme).success, ui.setTheme("gone").error);
      ui.notify("done");
    });
    await app.shows("done");
    expect(said).toEqual([
      { success: true },
      "mine",
      false,
      "No theme is called gone. Themes: default, dark, light, sea",
    ]);
    expect(app.port.written).toContain("\x1b[38;5;99m");
    await app.close();
  });
});

describe("a component with a result", () => {
  test.each([40, 80, 120])("of the library takes keys and answers at %i columns", async (columns) => {
    const results: unknown[] = [];
    const app = await appWith(
      async ({ ui }) => {
        const result = await ui.custom<string | null>((_tui, theme, _keys, done) => {
          const list = new SelectList(
            [
              { value: "a", label: "Alpha" },
              { value: "b", label: "Beta", description: "the second" },
            ],
            5,
            LIST,
          );
          list.onSelect = (item) => done(item.value);
          list.onCancel = () => done(null);
          const box = new Container();
          box.addChild(new Text(theme.fg("accent", "Choose"), 1, 0));
          box.addChild(new Spacer(1));
          box.addChild(list);
          return { render: (width) => box.render(width), handleInput: (data) => list.handleInput(data) };
        });
        results.push(result);
        ui.notify(`chose ${String(result)}`);
      },
      { columns },
    );
    await app.shows("→ Alpha");
    app.press("down");
    await app.shows("→ Beta");
    app.press("enter");
    await app.shows("chose b");
    app.type("/go");
    app.press("enter");
    await app.shows("→ Alpha");
    app.press("esc");
    await app.shows("chose null");
    expect(results).toEqual(["b", null]);
    await app.close();
  });

  test("an input of the library has the real cursor", async () => {
    const app = await appWith(async ({ ui }) => {
      const typed = await ui.custom<string>((_tui, _theme, _keys, done) => {
        const input = new Input();
        input.onSubmit = done;
        return input;
      });
      ui.notify(`typed ${typed}`);
    });
    await app.shows(/^>$/m);
    app.type("häuser");
    await app.shows("> häuser");
    expect(app.port.written).toContain("\x1b[?25h");
    app.press("enter");
    await app.shows("typed häuser");
    await app.close();
  });

  test("settings of the library change by keys, and names of keys are known", async () => {
    const changed: string[] = [];
    const app = await appWith(async ({ ui }) => {
      await ui.custom<undefined>((_tui, _theme, keys, done) => {
        const settings = new SettingsList(
          [{ id: "mode", label: "Mode", currentValue: "fast", values: ["fast", "slow"] }],
          5,
          { label: asIs, value: asIs, description: asIs, cursor: "→ ", hint: asIs },
          (id, value) => changed.push(`${id}=${value}`),
          () => done(undefined),
        );
        return {
          render: (width) => settings.render(width),
          handleInput: (data) =>
            keys.matches(data, "tui.select.cancel") ? done(undefined) : settings.handleInput(data),
        };
      });
      ui.notify("closed");
    });
    await app.shows("Mode");
    app.press("enter");
    await app.shows("slow");
    app.press("esc");
    await app.shows("closed");
    expect(changed).toEqual(["mode=slow"]);
    await app.close();
  });

  test("is closed by its signal and by Ctrl+C, without a result", async () => {
    const closing = new AbortController();
    const results: unknown[] = [];
    const app = await appWith(async ({ ui }) => {
      const stuck = () => ({ render: () => ["stuck"], handleInput: () => {} });
      results.push(await ui.custom(stuck, { signal: closing.signal }));
      results.push(await ui.custom(stuck));
      ui.notify("free");
    });
    await app.shows("stuck");
    closing.abort();
    await app.hides("stuck");
    await app.shows("stuck");
    app.press("ctrl+c");
    await app.shows("free");
    expect(results).toEqual([undefined, undefined]);
    await app.close();
  });
});

describe("an overlay", () => {
  test.each([40, 80, 120])("is drawn over the conversation at %i columns and restores the rest", async (columns) => {
    const app = await appWith(
      async ({ ui }) => {
        ui.setEditorText("below");
        const result = await ui.custom<string>(
          (_tui, _theme, _keys, done) => ({
            render: (width) => [`${"┌".padEnd(width - 1, "─")}┐`, `${"│ over".padEnd(width - 1)}│`],
            handleInput: (data) => (data === "y" ? done("yes") : undefined),
          }),
          { overlay: true, overlayOptions: { width: 20, anchor: "top-right", margin: 1 } },
        );
        ui.notify(`said ${result}`);
      },
      { columns },
    );
    await app.shows("│ over");
    const lines = await app.lines();
    expect(lines[1]?.slice(columns - 21, columns - 1)).toBe("┌──────────────────┐");
    expect(lines[2]?.slice(columns - 21, columns - 1)).toBe("│ over             │");
    expect(lines.join("\n")).toContain("below");
    app.press("x", "y");
    await app.shows("said yes");
    expect(await app.screen()).not.toContain("over  ");
    await app.close();
  });

  test("can be hidden, shown and left without closing it", async () => {
    const handles: UiOverlayHandle[] = [];
    const keys: string[] = [];
    const app = await appWith(({ ui }) => {
      void ui.custom(() => ({ render: () => ["floating"], handleInput: (data) => void keys.push(data) }), {
        overlay: true,
        onHandle: (handle: UiOverlayHandle) => void handles.push(handle),
      });
    });
    await app.shows("floating");
    app.press("a");
    handles[0]?.unfocus();
    app.type("typed");
    await app.shows("typed");
    handles[0]?.focus();
    app.press("b");
    handles[0]?.setHidden(true);
    await app.hides("floating");
    handles[0]?.setHidden(false);
    await app.shows("floating");
    expect([keys, handles[0]?.isFocused()]).toEqual([["a", "b"], true]);
    handles[0]?.hide();
    await app.hides("floating");
    await app.close();
  });
});

describe("a question with a limit", () => {
  test.each([40, 80, 120])("shows how much time is left in every kind of question at %i columns", async (columns) => {
    const app = await appWith(
      async ({ ui }) => {
        await ui.select("Which of all of these?", ["a", "b"], { timeout: 60_000 });
        await ui.input("A title that is longer than forty columns are", "x", { timeout: 60_000 });
        ui.notify("over");
      },
      { columns },
    );
    expect(await app.shows("1 of 2")).toMatch(/^ Which of all of these\? {2}60 s .*1 of 2$/m);
    app.press("esc");
    await app.shows(/^ A title that is longer.* {2}60 s$/m);
    app.press("esc");
    await app.shows("over");
    await app.close();
  });

  test("counts down and closes with the answer for no user", async () => {
    const answers: unknown[] = [];
    const app = await appWith(async ({ ui }) => {
      const closing = new AbortController();
      const chosen = ui.select("Which one?", ["a", "b"], { signal: closing.signal });
      setImmediate(() => closing.abort());
      answers.push(await chosen, await ui.confirm("Deploy?", "to production", { timeout: 30 }));
      answers.push(await ui.input("Name", "x", { timeout: 30 }));
      ui.notify("over");
      answers.push(await ui.confirm("Last one?", undefined, { timeout: 60_000 }));
      ui.notify("answered");
    });
    await app.shows("over");
    expect(await app.shows("Last one?")).toContain("Last one?  60 s");
    app.advance(15_500);
    expect(await app.screen()).toContain("Last one?  45 s");
    app.press("y");
    await app.shows("answered");
    expect(answers).toEqual([undefined, false, undefined, true]);
    await app.close();
  });
});

describe("keys before everyone else", () => {
  test("are seen, taken and changed, but Ctrl+C arrives", async () => {
    const seen: string[] = [];
    const app = await appWith(({ ui }) => {
      const stop = ui.onTerminalInput((data) => {
        seen.push(data);
        if (data === "x") return { consume: true };
        if (data === "1") return { data: "one" };
        if (data === "q") stop();
        if (data === "\x03") return { consume: true };
        return undefined;
      });
    });
    await app.shows("session");
    app.type("axb1");
    await app.shows("abone");
    app.press("ctrl+c");
    await app.hides("abone");
    app.type("qx");
    await app.shows("qx");
    expect(seen).toEqual(["a", "x", "b", "1", "\x03", "q"]);
    await app.close();
  });
});

describe("what fails", () => {
  const broken = () => {
    throw new Error("no lines");
  };

  test.each([
    ["widget todo", (ui: CommandContext["ui"]) => ui.setWidget("todo", () => ({ render: broken }))],
    ["header", (ui: CommandContext["ui"]) => ui.setHeader(() => ({ render: broken }))],
    ["footer", (ui: CommandContext["ui"]) => ui.setFooter(() => ({ render: broken }))],
  ])("a %s is removed and reported", async (what, show) => {
    const app = await appWith(({ ui }) => show(ui));
    await app.shows(`Extension test: ${what} failed and was closed: no lines`);
    expect(await foot(app, 1)).toEqual(["(footer)"]);
    await app.close();
  });

  test.each([
    ["throws while drawing", { render: broken }],
    ["draws no array", { render: () => "text" as unknown as string[] }],
  ])("a component that %s is closed and named", async (_what, component) => {
    const app = await appWith(async ({ ui }) => {
      const result = await ui.custom(() => component);
      ui.setStatus("result", `result ${result}`);
    });
    await app.shows("Extension test: component failed and was closed");
    await app.shows("result undefined");
    await app.close();
  });

  test("a component that throws on a key is closed and named", async () => {
    const app = await appWith(async ({ ui }) => {
      await ui.custom(() => ({ render: () => ["press"], handleInput: broken }), { overlay: true });
    });
    await app.shows("press");
    app.press("x");
    await app.shows("Extension test: component failed and was closed: no lines");
    expect(await app.screen()).not.toContain("press ");
    await app.close();
  });

  test("a line that is too wide is cut, and its author is notified", async () => {
    const app = await appWith(({ ui }) => ui.setWidget("wide", ["漢".repeat(60)]));
    const screen = await app.shows("widget wide drew 120 columns, cut to 80");
    expect(screen).toContain("漢".repeat(40));
    expect(screen).not.toContain("漢".repeat(41));
    await app.close();
  });

  test("an input handler that throws is removed", async () => {
    const app = await appWith(({ ui }) => void ui.onTerminalInput(broken));
    await app.shows("session");
    app.type("ab");
    expect(await app.shows("input handler failed and was removed: no lines")).toContain("ab");
    await app.close();
  });

  test("sequences of a component cannot reach the terminal, colors do", async () => {
    const app = await appWith(({ ui }) =>
      ui.setWidget("w", ["\x1b[31mred\x1b[0m \x1b[2J\x1b[5;5H\x1b]52;c;QQ==\x07after"]),
    );
    await app.shows("red after");
    expect(app.port.written).toContain("\x1b[31mred");
    expect(app.port.written).not.toContain("]52;c;QQ==");
    await app.close();
  });
});
