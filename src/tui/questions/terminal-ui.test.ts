import { describe, expect, test } from "vitest";
import type { ExtensionUi } from "../../extension/index.js";
import { testDesk } from "../desk/desk.test-support.js";
import { safePainted } from "./component-panel.js";
import { terminalUi } from "./terminal-ui.js";

describe("what extensions ask", () => {
  test("comes one after the other, and each hears its own answer", async () => {
    const desk = testDesk();
    const ui = terminalUi(desk);
    const first = ui.confirm("First?");
    const second = ui.input("Second?", "a name");
    await desk.settle();
    expect(desk.lines[0]).toBe(" First?");
    desk.press("enter");
    await desk.settle();
    expect(desk.lines.slice(0, 2)).toEqual([" Second?", " > a name"]);
    desk.type("bough");
    desk.press("enter");
    expect([await first, await second]).toEqual([true, "bough"]);
  });

  test("a closed question gives the same as no one to ask", async () => {
    const desk = testDesk();
    const ui = terminalUi(desk);
    const answers = [ui.select("a", ["x"]), ui.confirm("b"), ui.input("c"), ui.editor("d", "text")];
    for (let count = 0; count < answers.length; count++) {
      await desk.settle();
      desk.press("esc");
    }
    expect(await Promise.all(answers)).toEqual([undefined, false, undefined, undefined]);
  });

  test("a notice is a line of status", () => {
    const desk = testDesk();
    terminalUi(desk).notify("Saved", "warning");
    expect(desk.statuses).toEqual([{ message: "Saved", level: "warning" }]);
  });
});

describe("A3: what extensions ask while you are typing", () => {
  const ask = {
    select: (ui: ExtensionUi) => ui.select("Pick", ["and", "or"]),
    input: (ui: ExtensionUi) => ui.input("Name"),
    confirm: (ui: ExtensionUi) => ui.confirm("Sure?"),
    editor: (ui: ExtensionUi) => ui.editor("Text", "old"),
  };
  const answers = { select: "and", input: "", confirm: true, editor: "old" };

  /** A desk whose editor takes the keys that are not for the question, as the real one does. */
  function writing(editorText: string, lastKeyAt?: number) {
    const desk = testDesk({ editorText });
    const add = (text: string) => desk.setEditorText(desk.editorText() + text);
    const ui = terminalUi(desk, {
      lastKeyAt: () => lastKeyAt ?? Number.NEGATIVE_INFINITY,
      onStray: ({ text }) => add(text ?? ""),
      onPaste: add,
    });
    return { desk, ui };
  }

  test.each(["select", "input", "confirm", "editor"] as const)(
    "A3: %s leaves keys and pastes to the editor while it holds text",
    async (kind) => {
      const { desk, ui } = writing("first ");
      const answered = ask[kind](ui);
      await desk.settle();
      const { top } = desk;
      for (const key of ["y", "n", "enter"]) {
        desk.advance(2000);
        desk.press(key);
      }
      desk.paste("!");
      expect([desk.editorText(), desk.top === top, desk.lines.slice(-2)]).toEqual([
        "first yn!",
        true,
        [" Tab answer; other keys go to your message", " > first yn!"],
      ]);
      expect(desk.cursor).toEqual({ row: desk.lines.length - 1, column: 12 });
      desk.press("tab", "enter");
      expect([await answered, desk.editorText()]).toEqual([answers[kind], "first yn!"]);
    },
  );

  test.each(["select", "input", "confirm", "editor"] as const)(
    "A3: %s is not answered by a word begun in the moment it came up",
    async (kind) => {
      const { desk, ui } = writing("", testDesk().now());
      const answered = ask[kind](ui);
      await desk.settle();
      desk.press("enter", "y", "e", "s");
      expect([desk.editorText(), desk.top?.share !== undefined]).toEqual(["yes", true]);
      desk.setEditorText("");
      desk.advance(500);
      desk.press("enter");
      expect(await answered).toEqual(answers[kind]);
    },
  );

  test("A3: a window of one line shows what is being written", async () => {
    const { desk, ui } = writing("first");
    void ui.select("Pick", ["and"]);
    await desk.settle();
    desk.resize({ width: 30, height: 1 });
    expect([desk.lines, desk.cursor]).toEqual([[" > first"], { row: 0, column: 8 }]);
  });
});

describe("a component of an extension", () => {
  test("B9: is drawn and gets the keys; it closes itself or is closed with Ctrl+C", async () => {
    const desk = testDesk({ width: 12 });
    const ui = terminalUi(desk);
    const got: string[] = [];
    let closed = 0;
    const component = {
      render: (width: number) => [`width ${width}`, "a line that is too wide"],
      handleInput: (data: string, close: () => void) => {
        got.push(data);
        if (data !== "q") return;
        // The panel is gone after the first one.
        close();
        close();
      },
    };
    const done = () => {
      closed += 1;
    };
    ui.custom(component, done);
    await desk.settle();
    expect(desk.lines).toEqual(["width 12", "a line that…"]);
    desk.press("x", "esc", "q");
    await desk.settle();
    ui.custom(component, done);
    await desk.settle();
    desk.press("ctrl+c");
    await desk.settle();
    expect([got, closed, desk.top]).toEqual([["x", "\x1b", "q"], 2, undefined]);
  });

  test("B9: calling done closes it, also without a key, and the extension hears of it once", async () => {
    const desk = testDesk();
    const ui = terminalUi(desk);
    let heard = 0;
    const onDone = () => {
      heard += 1;
    };
    const given: (() => void)[] = [];
    const returned = ui.custom((done: () => void) => {
      given.push(done);
      return { render: () => ["working"] };
    }, onDone);
    await desk.settle();
    expect(desk.lines).toEqual(["working"]);
    given[0]?.();
    given[0]?.();
    returned();
    await desk.settle();
    expect([heard, desk.top]).toEqual([1, undefined]);
    const later = ui.custom({ render: () => ["again"] }, onDone);
    await desk.settle();
    expect(desk.top?.name).toBe("component");
    later();
    await desk.settle();
    expect([heard, desk.top]).toEqual([2, undefined]);
  });

  test("B9: one that is done before its turn is never shown", async () => {
    const desk = testDesk();
    const ui = terminalUi(desk);
    let heard = 0;
    const first = ui.custom({ render: () => ["first"] }, () => {});
    const second = ui.custom({ render: () => ["second"] }, () => {
      heard += 1;
    });
    await desk.settle();
    second();
    expect(heard).toBe(1);
    first();
    await desk.settle();
    expect([heard, desk.top]).toEqual([1, undefined]);
  });

  test("B9: a function that fails to make one is named", async () => {
    const desk = testDesk();
    let heard = 0;
    const broken = (): never => {
      throw new Error("no component");
    };
    terminalUi(desk).custom(broken, () => {
      heard += 1;
    });
    expect([heard, desk.statuses.map(({ message }) => message)]).toEqual([
      1,
      ["The component of an extension failed: Error: no component"],
    ]);
  });

  test("one without keys is closed with Esc", async () => {
    const desk = testDesk();
    let closed = false;
    terminalUi(desk).custom({ render: () => ["list"] }, () => {
      closed = true;
    });
    await desk.settle();
    desk.press("esc");
    await desk.settle();
    expect(closed).toBe(true);
  });

  test("one that fails is closed and named, and one that is none is refused", async () => {
    const desk = testDesk();
    let closed = 0;
    const done = () => {
      closed += 1;
    };
    const ui = terminalUi(desk);
    ui.custom(
      {
        render: () => {
          throw new Error("no lines");
        },
      },
      done,
    );
    await desk.settle();
    expect(desk.lines).toEqual([]);
    await desk.settle();
    await desk.settle();
    ui.custom("nothing", done);
    expect([closed, desk.statuses.map(({ message }) => message)]).toEqual([
      2,
      [
        "The component of an extension failed: Error: no lines",
        "An extension brought a component that this terminal cannot draw.",
      ],
    ]);
  });
});

test("colours of others stay and end with the line, everything else goes", () => {
  expect([
    safePainted("\x1b[31mred\x1b[0m"),
    safePainted("a\x1b[2Jb\x1b]52;c;AA\x07c"),
    safePainted("\x1b[38;2;1;2;3mx\x1b[5;5Hy"),
  ]).toEqual(["\x1b[31mred\x1b[0m\x1b[0m", "abc", "\x1b[38;2;1;2;3mxy\x1b[0m"]);
});
