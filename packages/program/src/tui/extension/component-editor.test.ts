import type { CommandContext } from "@bough/agent/extension/index.js";
import type { UiEditor, UiEditorTheme, UiScreen } from "@bough/agent/extension/ui.js";
import { Editor, type TUI } from "@earendil-works/pi-tui";
import { describe, expect, test } from "vitest";
import { TestApp, type TestAppOptions } from "../app/app.test-support.js";

/** An editor with two modes: Esc leaves insert mode, `i` returns to it. */
class ModalEditor extends Editor {
  onEscape: (() => void) | undefined = undefined;
  #isWriting = true;

  constructor(tui: UiScreen, theme: UiEditorTheme) {
    super(tui as unknown as TUI, theme);
  }

  override handleInput(data: string): void {
    if (data === "\x1b") {
      if (this.#isWriting) this.#isWriting = false;
      else this.onEscape?.();
    } else if (this.#isWriting || data === "\r") super.handleInput(data);
    else if (data === "i") this.#isWriting = true;
    else if (data === "0") super.handleInput("\x01");
  }

  override render(width: number): string[] {
    return [this.#isWriting ? "-- INSERT --" : "-- NORMAL --", ...super.render(width)];
  }
}

async function appWith(go: (context: CommandContext) => void, options: TestAppOptions = {}): Promise<TestApp> {
  const app = await TestApp.open({
    ...options,
    extension: (bough) => {
      bough.registerCommand("go", { handler: (_args, context) => go(context) });
      bough.registerCommand("back", { handler: (_args, { ui }) => ui.setEditorComponent(undefined) });
    },
  });
  await app.shows("session");
  app.type("/go");
  app.press("enter");
  return app;
}

describe("an editor of an extension", () => {
  test.each([40, 80, 120])("is written in, has modes, and sends its text, at %i columns", async (columns) => {
    const app = await appWith(({ ui }) => ui.setEditorComponent((tui, theme) => new ModalEditor(tui, theme)), {
      columns,
    });
    await app.shows("-- INSERT --");
    app.type("hello");
    await app.shows("hello");
    app.press("esc");
    await app.shows("-- NORMAL --");
    app.type("0ixx ");
    await app.shows("xx hello");
    expect(app.terminal.ui.getEditorText()).toBe("xx hello");
    app.press("enter");
    await app.shows("● xx hello");
    expect(app.terminal.ui.getEditorText()).toBe("");
    await app.close();
  });

  test("keeps the text when our editor returns", async () => {
    const made = (tui: UiScreen, theme: UiEditorTheme) => new ModalEditor(tui, theme);
    const app = await appWith(({ ui }) => ui.setEditorComponent(made));
    await app.shows("-- INSERT --");
    expect(app.terminal.ui.getEditorComponent()).toBe(made);
    app.type("draft");
    await app.shows("draft");
    app.terminal.ui.setEditorComponent(undefined);
    await app.hides("-- INSERT --");
    expect([app.terminal.ui.getEditorText(), app.terminal.ui.getEditorComponent()]).toEqual(["draft", undefined]);
    await app.close();
  });

  test("that fails is named, and our editor returns with the text", async () => {
    const app = await appWith(({ ui }) => {
      ui.setEditorText("kept");
      let text = "";
      const editor: UiEditor = {
        render: () => [`broken soon: ${text}`],
        handleInput: () => {
          throw new Error("no keys");
        },
        getText: () => text,
        setText: (given) => {
          text = given;
        },
      };
      ui.setEditorComponent(() => editor);
    });
    await app.shows("broken soon: kept");
    app.press("x");
    await app.shows("Extension test: editor failed and was closed: no keys");
    await app.hides("broken soon");
    expect(app.terminal.ui.getEditorText()).toBe("kept");
    await app.close();
  });

  test("an invalid one is refused", async () => {
    const app = await appWith(({ ui }) => ui.setEditorComponent(() => ({ render: () => [] }) as never));
    await app.shows("Extension test: editor failed: it needs render, handleInput, getText and");
    app.type("still ours");
    await app.shows("still ours");
    await app.close();
  });
});

describe("suggestions of an extension", () => {
  test("come with those of the program, and Enter takes one", async () => {
    const app = await appWith(({ ui }) =>
      ui.addAutocompleteProvider((current) => ({
        async getSuggestions(lines, line, column, options) {
          const typed = /#(\w*)$/.exec((lines[line] ?? "").slice(0, column));
          if (typed === null) return current.getSuggestions(lines, line, column, options);
          const items = ["12", "17"].map((value) => ({ value: `#${value}`, label: `issue ${value}` }));
          return { items, prefix: typed[0] };
        },
        applyCompletion: (...applied) => current.applyCompletion(...applied),
      })),
    );
    await app.shows("session");
    app.type("fix #");
    await app.shows("issue 17");
    app.press("down", "enter");
    await app.shows("fix #17");
    expect(app.terminal.ui.getEditorText()).toBe("fix #17");
    app.terminal.ui.setEditorText("");
    app.type("/und");
    await app.shows(/\/undo /);
    await app.close();
  });

  test("that fail are removed with a notice, and ours stay", async () => {
    const app = await appWith(({ ui }) =>
      ui.addAutocompleteProvider((current) => ({
        ...current,
        getSuggestions: async () => {
          throw new Error("no issues");
        },
      })),
    );
    await app.shows("session");
    app.type("/und");
    await app.shows("Extension test: suggestions failed and were removed: no issues");
    await app.shows(/\/undo /);
    await app.close();
  });
});
