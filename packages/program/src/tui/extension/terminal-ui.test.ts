import type { ExtensionUi } from "@bough/agent/extension/index.js";
import { safePainted } from "@bough/agent/terminal/index.js";
import { describe, expect, test } from "vitest";
import { testHost } from "../host/host.test-support.js";
import { terminalUi } from "./terminal-ui.js";

describe("what extensions ask", () => {
  test("are asked one at a time, and each gets its own answer", async () => {
    const host = testHost();
    const ui = terminalUi(host);
    const first = ui.confirm("First?");
    const second = ui.input("Second?", "a name");
    await host.settle();
    expect(host.lines[0]).toBe(" First?");
    host.press("enter");
    await host.settle();
    expect(host.lines.slice(0, 2)).toEqual([" Second?", " > a name"]);
    host.type("bough");
    host.press("enter");
    expect([await first, await second]).toEqual([true, "bough"]);
  });

  test("a closed question gives the same answer as no user", async () => {
    const host = testHost();
    const ui = terminalUi(host);
    const answers = [ui.select("a", ["x"]), ui.confirm("b"), ui.input("c"), ui.editor("d", "text")];
    for (let count = 0; count < answers.length; count++) {
      await host.settle();
      host.press("esc");
    }
    expect(await Promise.all(answers)).toEqual([undefined, false, undefined, undefined]);
  });

  test("a notice is a line of status", () => {
    const host = testHost();
    terminalUi(host).notify("Saved", "warning");
    expect(host.statuses).toEqual([{ message: "Saved", level: "warning" }]);
  });
});

describe("what extensions ask while you are typing", () => {
  const ask = {
    select: (ui: ExtensionUi) => ui.select("Pick", ["and", "or"]),
    input: (ui: ExtensionUi) => ui.input("Name"),
    confirm: (ui: ExtensionUi) => ui.confirm("Sure?"),
    editor: (ui: ExtensionUi) => ui.editor("Text", "old"),
  };
  const answers = { select: "and", input: "", confirm: true, editor: "old" };

  /** A host whose editor gets the keys that are not for the question, like the real one. */
  function writing(editorText: string, lastKeyAt?: number) {
    const host = testHost({ editorText });
    const add = (text: string) => host.setEditorText(host.editorText() + text);
    const ui = terminalUi(host, {
      lastKeyAt: () => lastKeyAt ?? Number.NEGATIVE_INFINITY,
      onStray: ({ text }) => add(text ?? ""),
      onPaste: add,
    });
    return { host, ui };
  }

  test.each(["select", "input", "confirm", "editor"] as const)(
    "%s leaves keys and pastes to the editor while it holds text",
    async (kind) => {
      const { host, ui } = writing("first ");
      const answered = ask[kind](ui);
      await host.settle();
      const { top } = host;
      for (const key of ["y", "n", "enter"]) {
        host.advance(2000);
        host.press(key);
      }
      host.paste("!");
      expect([host.editorText(), host.top === top, host.lines.slice(-2)]).toEqual([
        "first yn!",
        true,
        [" Tab answer; other keys go to your message", " > first yn!"],
      ]);
      expect(host.cursor).toEqual({ row: host.lines.length - 1, column: 12 });
      host.press("tab", "enter");
      expect([await answered, host.editorText()]).toEqual([answers[kind], "first yn!"]);
    },
  );

  test.each(["select", "input", "confirm", "editor"] as const)(
    "%s is not answered by a word begun in the moment it came up",
    async (kind) => {
      const { host, ui } = writing("", testHost().now());
      const answered = ask[kind](ui);
      await host.settle();
      host.press("enter", "y", "e", "s");
      expect([host.editorText(), host.top?.share !== undefined]).toEqual(["yes", true]);
      host.setEditorText("");
      host.advance(500);
      host.press("enter");
      expect(await answered).toEqual(answers[kind]);
    },
  );

  test("a window of one line shows what is being written", async () => {
    const { host, ui } = writing("first");
    void ui.select("Pick", ["and"]);
    await host.settle();
    host.resize({ width: 30, height: 1 });
    expect([host.lines, host.cursor]).toEqual([[" > first"], { row: 0, column: 8 }]);
  });
});

describe("a component of an extension", () => {
  test("is drawn and gets the keys; it closes itself or is closed with Ctrl+C", async () => {
    const host = testHost({ width: 12 });
    const ui = terminalUi(host);
    const got: string[] = [];
    let closed = 0;
    const component = {
      render: (width: number) => [`width ${width}`, "a line that is too wide"],
      handleInput: (data: string, close: () => void) => {
        got.push(data);
        if (data !== "q") return;
        // The panel closes after the first one.
        close();
        close();
      },
    };
    const done = () => {
      closed += 1;
    };
    ui.custom(component, done);
    await host.settle();
    expect(host.lines).toEqual(["width 12", "a line that"]);
    host.press("x", "esc", "q");
    await host.settle();
    ui.custom(component, done);
    await host.settle();
    host.press("ctrl+c");
    await host.settle();
    expect([got, closed, host.top]).toEqual([["x", "\x1b", "q", "\x03"], 2, undefined]);
  });

  test("calling done closes it, even without a key, and the extension is notified once", async () => {
    const host = testHost();
    const ui = terminalUi(host);
    let heard = 0;
    const onDone = () => {
      heard += 1;
    };
    const given: (() => void)[] = [];
    const returned = ui.custom((done: () => void) => {
      given.push(done);
      return { render: () => ["working"] };
    }, onDone);
    await host.settle();
    expect(host.lines).toEqual(["working"]);
    given[0]?.();
    given[0]?.();
    returned();
    await host.settle();
    expect([heard, host.top]).toEqual([1, undefined]);
    const later = ui.custom({ render: () => ["again"] }, onDone);
    await host.settle();
    expect(host.top?.name).toBe("component");
    later();
    await host.settle();
    expect([heard, host.top]).toEqual([2, undefined]);
  });

  test("one that is done before its turn is never shown", async () => {
    const host = testHost();
    const ui = terminalUi(host);
    let heard = 0;
    const first = ui.custom({ render: () => ["first"] }, () => {});
    const second = ui.custom({ render: () => ["second"] }, () => {
      heard += 1;
    });
    await host.settle();
    second();
    expect(heard).toBe(1);
    first();
    await host.settle();
    expect([heard, host.top]).toEqual([1, undefined]);
  });

  test("a function that fails to make one is named", async () => {
    const host = testHost();
    let heard = 0;
    const broken = (): never => {
      throw new Error("no component");
    };
    terminalUi(host).custom(broken, () => {
      heard += 1;
    });
    await host.settle();
    expect([heard, host.statuses.map(({ message }) => message)]).toEqual([
      1,
      ["An extension: component failed: no component"],
    ]);
  });

  test("one without keys is closed with Esc", async () => {
    const host = testHost();
    let closed = false;
    terminalUi(host).custom({ render: () => ["list"] }, () => {
      closed = true;
    });
    await host.settle();
    host.press("esc");
    await host.settle();
    expect(closed).toBe(true);
  });

  test("one that fails is closed and reported, and an invalid one is refused", async () => {
    const host = testHost();
    let closed = 0;
    const done = () => {
      closed += 1;
    };
    const ui = terminalUi(host);
    ui.custom(
      {
        render: () => {
          throw new Error("no lines");
        },
      },
      done,
    );
    await host.settle();
    expect(host.lines).toEqual([]);
    await host.settle();
    await host.settle();
    ui.custom("nothing", done);
    await host.settle();
    expect([closed, host.statuses.map(({ message }) => message)]).toEqual([
      2,
      [
        "An extension: component failed and was closed: no lines",
        "An extension: component has no render() and cannot be shown",
      ],
    ]);
  });
});

test("colors of others stay and end with the line; everything else is dropped", () => {
  expect([
    safePainted("\x1b[31mred\x1b[0m"),
    safePainted("a\x1b[2Jb\x1b]52;c;AA\x07c"),
    safePainted("\x1b[38;2;1;2;3mx\x1b[5;5Hy"),
  ]).toEqual(["\x1b[31mred\x1b[0m\x1b[0m", "abc", "\x1b[38;2;1;2;3mxy\x1b[0m"]);
});
