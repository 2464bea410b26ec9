import { afterEach, describe, expect, it } from "vitest";
import { askConfirm } from "../questions/ask-confirm.js";
import { askSelect } from "../questions/ask-select.js";
import { askText } from "../questions/ask-text.js";
import { TestApp, type TestAppOptions } from "./app.test-support.js";

const open: TestApp[] = [];

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await TestApp.open(options);
  open.push(app);
  await app.screen();
  return app;
}

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** A panel that records the keys it gets. */
function openPanel({ terminal }: TestApp): readonly string[] {
  const got: string[] = [];
  void terminal.host.open(() => ({
    name: "below",
    share: "half",
    draw: () => ({ lines: ["the panel below"] }),
    handleKey: ({ name }) => got.push(name) > 0,
  }));
  return got;
}

describe("keys of the same burst as an answer", () => {
  it("do not act on the panel below the question", async () => {
    const app = await start();
    const { host } = app.terminal;
    const got = openPanel(app);
    const answered = askConfirm(host, { title: "Sure?" });
    await app.shows("Sure?");
    app.port.feed("yes\r");
    expect([await answered, got]).toEqual([true, []]);
    await app.hides("Sure?");
    app.port.feed("s");
    expect(got).toEqual(["s"]);
  });

  it("do not act on it in the next pieces either, until it was drawn", async () => {
    const app = await start();
    const { host } = app.terminal;
    const got = openPanel(app);
    const picked = askSelect(host, { title: "Which?", items: [{ value: 1, label: "one" }] });
    await app.shows("Which?");
    app.press("enter", "d", "enter");
    expect([await picked, got]).toEqual([1, []]);
    await app.hides("Which?");
    const typed = askText(host, { title: "Name?" });
    await app.shows("Name?");
    app.port.feed("ab\rcd");
    expect([await typed, got]).toEqual(["ab", []]);
  });

  it("do not write in the editor or send what is there", async () => {
    const app = await start();
    const { host } = app.terminal;
    const answered = askConfirm(host, { title: "Sure?" });
    await app.shows("Sure?");
    app.port.feed("no thanks\r");
    expect([await answered, host.editorText(), app.agent.session.getEntries()]).toEqual([false, "", []]);
    await app.hides("Sure?");
    app.type("hello");
    expect(host.editorText()).toBe("hello");
  });

  it("do not answer the question that follows", async () => {
    const app = await start();
    const { host } = app.terminal;
    const answers: boolean[] = [];
    const asked = (async () => {
      for (const title of ["First?", "Second?"]) answers.push(await askConfirm(host, { title }));
    })();
    await app.shows("First?");
    app.port.feed("yyy");
    await app.shows("Second?");
    expect(answers).toEqual([true]);
    app.port.feed("n");
    await asked;
    expect(answers).toEqual([true, false]);
  });
});

describe("what an extension asks while you are typing", () => {
  it("lets a sentence being typed when it appears go to the editor, right after a prompt", async () => {
    const app = await start({
      extension: (bough) => {
        bough.on("tool_call", async (_event, ctx) => {
          await ctx.ui.select("Which way?", ["then this", "not at all"]);
          return undefined;
        });
      },
    });
    app.type("list the files");
    app.press("enter");
    await app.shows("Which way?");
    app.advance(300);
    app.type("then ");
    await app.shows(" > then");
    expect(app.terminal.host.editorText()).toBe("then ");
  });

  it("leaves the text in the editor, and Tab turns to it", async () => {
    const app = await start({
      extension: (bough) => {
        bough.on("tool_call", async (_event, ctx) => {
          const answer = await ctx.ui.select("Which way?", ["and so on", "not at all"]);
          ctx.ui.notify(`It was ${answer}`);
          return undefined;
        });
      },
    });
    app.type("list the files");
    app.press("enter");
    app.type("then ");
    await app.shows("Which way?");
    app.advance(5000);
    app.type("and");
    await app.shows(" > then and");
    expect(app.terminal.host.editorText()).toBe("then and");
    app.press("tab", "enter");
    await app.shows("It was and so on");
    expect(app.terminal.host.editorText()).toBe("then and");
  });

  it("has the keys at once where a command asks, one question after the other", async () => {
    const app = await start({
      extension: (bough) => {
        bough.registerCommand("deploy", {
          description: "asks",
          handler: async (_args, { ui }) => {
            const where = await ui.select("Where?", ["staging", "production"]);
            const name = await ui.input("Name?");
            ui.notify(`${name} to ${where}`);
          },
        });
      },
    });
    app.type("/deploy");
    app.press("enter");
    await app.shows("Where?");
    app.press("down", "enter");
    await app.shows("Name?");
    app.type("one");
    app.press("enter");
    await app.shows("one to production");
    expect(app.terminal.host.editorText()).toBe("");
  });
});
