import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { layOutAgents } from "../../../../../test/support/agents-home.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { TestApp, type TestAppOptions } from "./app.test-support.js";

const open: TestApp[] = [];

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await TestApp.open(options);
  open.push(app);
  return app;
}

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** Parts that differ from run to run. */
function steady(screen: string, app: TestApp): string {
  return screen
    .replaceAll(app.folder, "FOLDER")
    .replace(/FOLDER {2,}/, "FOLDER     ")
    .replace(/saved as you go in \S+\.jsonl/, "saved as you go in FILE");
}

describe("the first start", () => {
  test("says where things are kept and how to go back, and a second one only the first of it", async () => {
    const first = await start({ columns: 100, rows: 12 });
    expect(steady(await first.screen(), first)).toMatchInlineSnapshot(`
      " New session · saved as you go in FILE
       Everything you try is kept. To try something else, go back and ask again:
         Esc Esc  tree      /branches  list      /pop  go back      ?  keys
       No model is set up, so a rule-based stand-in answers. It is not a language model.
         /model  sets up a real one




      ────────────────────────────────────────────────────────────────────────────────────────────────────
      › Describe a task, or type / for commands, @ for files, ! for the shell
       ask mode · FOLDER     0% of 128k · offline/rules"
    `);
    const second = await start({ columns: 100, rows: 12, home: first.home });
    expect(await second.screen()).not.toContain("Everything you try is kept");
  });

  test("says once, when it knows it, that other agents have sessions", async () => {
    const folder = tempFolder();
    layOutAgents({ home: folder, cwd: join(folder, "project") });
    const agentPlaces = { home: folder };
    const first = await start({ columns: 100, rows: 14, agentPlaces });
    const screen = await first.shows("Found 9 sessions from five other agents.\n /import shows them.");
    // New users see it below the other lines; the prompt was there before it.
    expect(screen).toMatch(/\? {2}keys\n Found 9 sessions/);
    const second = await start({ columns: 100, rows: 14, agentPlaces, home: first.home });
    second.type("/import");
    second.press("enter");
    await second.shows("9 from other agents");
    second.press("esc");
    expect(await second.screen()).not.toContain("Found 9 sessions");
  });

  test("does not mention other agents once you have started typing, and keeps it for the next time", async () => {
    const folder = tempFolder();
    layOutAgents({ home: folder, cwd: join(folder, "project") });
    const agentPlaces = { home: folder };
    const talking = await start({ agentPlaces, prompt: "list the files here" });
    await talking.shows("list the files here");
    expect(await talking.screen()).not.toContain("Found 9 sessions");
    const next = await start({ agentPlaces, home: talking.home });
    await next.shows("Found 9 sessions from five other agents.");
  });

  test("names the file by the start of its id, in a line that fits in 80 columns", async () => {
    const app = await start({ columns: 80 });
    const [line = ""] = await app.lines();
    expect(line).toContain(`${app.agent.session.getSessionId().slice(0, 8)}….jsonl`);
  });
});

describe("a conversation", () => {
  test("a prompt is answered, and the footer knows the branch", async () => {
    const app = await start();
    writeFileSync(join(app.folder, "notes.txt"), "hello");
    app.type("list the files");
    app.press("enter");
    await app.shows("notes.txt");
    await app.shows("#1 list the files");
  });

  test("the footer shows what in the name of the folder would reorder the line", async () => {
    const folder = join(tempFolder(), "pro\u202ej\u0085ect");
    mkdirSync(folder);
    const app = await start({ folder, columns: 160 });
    await app.shows("pro\\u202ej\\x85ect");
    expect(await app.screen()).not.toMatch(/[\u0085\u202e]/);
  });

  test("another session starts with its own lines", async () => {
    const app = await start();
    const idStart = () => app.agent.session.getSessionId().slice(0, 8);
    const first = idStart();
    app.type("/new");
    app.press("enter");
    await app.shows("The previous one is saved");
    expect(idStart()).not.toBe(first);
    await app.shows(`${idStart()}….jsonl`);
    expect(await app.screen()).not.toContain(first);
  });

  test("a prompt from the command line is sent at once", async () => {
    const app = await start({ prompt: "hello there" });
    await app.shows("hello there");
  });
});

describe("permission", () => {
  test("is asked before a command runs, and a no is kept to", async () => {
    const app = await start();
    app.type("run `echo hi > made.txt`");
    app.press("enter");
    await app.shows("Run this command?");
    app.advance(1000);
    app.press("n");
    await app.shows(/said no|refused|not allowed/i);
  });
});

test("a sentence that is being written when a question comes up is whole afterwards, and answers nothing", async () => {
  const app = await start();
  app.type("run `echo hi`");
  app.press("enter");
  app.type("then look at ");
  await app.shows("Run this command?");
  app.advance(1000);
  app.type("any");
  app.advance(1000);
  app.type(" rest");
  await app.shows("> then look at any rest");
  app.press("tab", "n");
  await app.shows(/said no/i);
  expect(app.terminal.host.editorText()).toBe("then look at any rest");
});

test("a grant is shown in the footer, listed by /permissions and revoked there", async () => {
  const app = await start();
  const run = async (command: string) => {
    app.type(`run \`${command}\``);
    app.press("enter");
  };
  await run("echo one");
  await app.shows("Ctrl+S  yes, for this session: all shell commands");
  app.advance(1000);
  app.press("ctrl+s");
  await app.shows("1 permission granted");
  app.type("/permissions");
  app.press("enter");
  await app.shows("1  all shell commands");
  app.type("/permissions revoke 1");
  app.press("enter");
  await app.shows("Revoked: all shell commands. You will be asked again.");
  expect(await app.screen()).not.toContain("1 permission granted");
  await run("echo two");
  await app.shows("Run this command?");
});

test("Shift+Tab cycles the permission modes, and the footer shows the current one", async () => {
  const app = await start({ columns: 100, rows: 12 });
  for (const mode of ["edits", "auto", "plan", "ask"]) {
    app.press("shift+tab");
    await app.shows(new RegExp(`^ ?${mode} mode`, "m"));
  }
});

describe("keys that work everywhere", () => {
  test("Ctrl+C empties the editor, and twice quits", async () => {
    const app = await start();
    app.type("some words");
    app.press("ctrl+c");
    await app.shows("Ctrl+C again quits.");
    expect(app.terminal.host.editorText()).toBe("");
    app.advance(1000);
    app.press("ctrl+c");
    expect(await app.ended).toBe(0);
  });

  test("a letter without a meaning in a panel is reported until the next key", async () => {
    const app = await start();
    app.type("/context");
    app.press("enter");
    await app.shows("Context ·");
    app.press("d");
    await app.shows("d does nothing here. ? shows the keys.");
    app.press("down");
    expect(await app.screen()).not.toContain("does nothing here");
    expect(app.terminal.host.editorText()).toBe("");
  });

  test("two that are far apart do not quit", async () => {
    const app = await start();
    app.press("ctrl+c");
    app.advance(3000);
    app.press("ctrl+c");
    await app.shows("Ctrl+C again quits.");
  });

  test("that Ctrl+C again quits is not said any longer than it is true", async () => {
    const app = await start();
    app.press("ctrl+c");
    await app.shows("Ctrl+C again quits.");
    app.advance(2001);
    expect(await app.screen()).not.toContain("Ctrl+C again quits.");
    app.type("some words");
    app.press("ctrl+c");
    await app.shows("Up brings it back. Ctrl+C again quits.");
    app.advance(2001);
    const screen = await app.screen();
    expect([screen.includes("Up brings it back."), screen.includes("again quits")]).toEqual([true, false]);
  });

  test("Ctrl+D quits where the editor is empty", async () => {
    const app = await start();
    app.press("ctrl+d");
    expect(await app.ended).toBe(0);
  });

  test("? shows the keys where the editor is empty, and is typed where it is not", async () => {
    const app = await start();
    app.press("?");
    await app.shows("Conversation");
    app.press("ctrl+c");
    app.type("why?");
    expect(app.terminal.host.editorText()).toBe("why?");
    app.press("f1");
    await app.shows(" Keys");
  });
});

test("the wheel moves through the conversation, and in a panel through the panel", async () => {
  const app = await start({
    session: (folder) => {
      const session = SessionManager.create(folder, join(folder, "sessions"));
      for (let turn = 1; turn <= 40; turn++) {
        session.appendMessage({ role: "user", content: `prompt ${turn}.`, timestamp: turn });
      }
      return session;
    },
  });
  await app.shows("prompt 40.");
  for (let notch = 0; notch < 5; notch++) app.port.feed("\x1b[<64;5;5M");
  expect(await app.screen()).not.toContain("prompt 40.");
  for (let notch = 0; notch < 6; notch++) app.port.feed("\x1b[<65;5;5M");
  await app.shows("prompt 40.");
  app.type("/tree");
  app.press("enter");
  await app.shows(" Tree");
  app.port.feed("\x1b[<64;5;20M");
  await app.shows("❯ ●  prompt 37.");
});

test("a window that is closed ends the program", async () => {
  const app = await start();
  app.port.hangUp();
  expect(await app.ended).toBe(0);
});

test("help says which keys do nothing now, and why", async () => {
  const app = await start({ columns: 100, rows: 90 });
  app.press("f1");
  const screen = await app.shows(" Keys");
  for (const reason of ["Nothing is running.", "does not support thinking", "No panel is open."]) {
    expect(screen).toContain(reason);
  }
});

test("Shift+Tab goes through the permission modes, and the footer shows the one in use", async () => {
  const app = await start({ columns: 100 });
  await app.shows(" ask mode · ");
  const sentences = [
    ["edits", "Mode edits: files in the working directory are changed without asking; commands ask."],
    ["auto", "Mode auto: commands and changes in the working directory run without asking."],
    ["plan", "Mode plan: nothing is changed or run, and the model is told to make a plan."],
    ["ask", "Mode ask: asks before commands, changes, and reading outside the working directory."],
  ];
  for (const [mode, sentence] of sentences) {
    app.press("shift+tab");
    await app.shows(sentence as string);
    expect(await app.screen()).toContain(` ${mode} mode · `);
  }
  app.type("half a sentence");
  app.press("shift+tab");
  await app.shows(" edits mode · ");
  expect(app.terminal.host.editorText()).toBe("half a sentence");
});

test("a setting that is changed shows at once", async () => {
  const app = await start();
  await app.shows("─────");
  app.type("/settings glyphs ascii");
  app.press("enter");
  await app.shows("-----");
});

test("a panel that fails is closed and reported, and the conversation continues", async () => {
  const app = await start();
  const broken = { name: "broken", share: "half", handleKey: () => true } as const;
  void app.terminal.host.open(() => ({
    ...broken,
    draw: () => {
      throw new Error("no rows");
    },
  }));
  await app.shows("broken failed and was closed: Error: no rows");
  app.type("still here");
  await app.shows("still here");
});

describe("commands and screens", () => {
  test("/help lists commands and keys", async () => {
    const app = await start();
    app.type("/help");
    app.press("enter");
    await app.shows(" Help");
    await app.shows("/tree");
  });

  test.each([
    { rows: 24, whole: true },
    { rows: 29, whole: true },
    { rows: 30, whole: false },
  ])(
    "/tree in $rows rows takes the window where half would be too little, F2 the other size",
    async ({ rows, whole }) => {
      const app = await start({ rows });
      app.type("hello");
      app.press("enter");
      await app.shows("#1 hello");
      await app.agent.whenIdle();
      app.type("/tree");
      app.press("enter");
      await app.shows(" Tree");
      const top = async () => (await app.lines()).findIndex((line) => line.startsWith(" Tree"));
      const sizes = [0, rows / 2].map(Math.floor);
      if (!whole) sizes.reverse();
      const [first, second] = sizes;
      expect(await top()).toBe(first);
      await app.shows(whole ? "F2 half screen" : "F2 full screen");
      app.press("f2");
      expect(Math.abs((await top()) - (second ?? 0))).toBeLessThanOrEqual(1);
      app.press("q");
      app.type("/branches");
      app.press("enter");
      await app.shows(" Branches");
      // What was chosen in one panel holds for the others.
      expect((await app.lines()).findIndex((line) => line.startsWith(" Branches")) > 0).toBe(whole);
    },
  );

  test("what a key of an extension does is done, and a key that is taken is reported", async () => {
    const app = await start({
      extension: (bough) => {
        bough.registerShortcut("alt+x", { description: "say it", handler: (ctx) => ctx.ui.notify("pressed") });
        bough.registerShortcut("ctrl+c", { handler: () => {} });
      },
    });
    await app.shows("The extension test wants Ctrl+C, which is everywhere.interrupt.");
    app.press("alt+x");
    await app.shows("pressed");
  });

  test("an extension asks, and gets the answer", async () => {
    const app = await start({
      extension: (bough) => {
        bough.registerCommand("pick", {
          handler: async (_args, ctx) => {
            const colour = await ctx.ui.select("Which colour?", ["red", "green"]);
            ctx.ui.notify(`You took ${colour}`);
          },
        });
      },
    });
    app.type("/pick");
    app.press("enter");
    await app.shows("Which colour?");
    app.press("down", "enter");
    await app.shows("You took green");
  });
});

describe("a session that was there before", () => {
  test("opens with one line about the last position", async () => {
    const app = await start({
      session: (folder) => {
        const session = SessionManager.create(folder, join(folder, "sessions"));
        session.appendMessage({ role: "user", content: "wire the tokenizer", timestamp: 1 });
        session.appendSessionInfo("parser session");
        return session;
      },
    });
    await app.shows(/Resumed parser session · #1 wire the tokenizer · 1 turn · last active /);
  });

  test("entries of another process show up", async () => {
    const app = await start();
    app.type("hello");
    app.press("enter");
    await app.shows("#1 hello");
    await app.agent.whenIdle();
    const file = app.agent.session.getSessionFile() as string;
    const other = SessionManager.open(file);
    other.appendMessage({ role: "user", content: "from elsewhere", timestamp: 2 });
    other.close();
    await app.shows("Another window added");
  });
});

describe("a read-only session", () => {
  const PROMPT = "from the other window";

  /** The other window, which writes, and this one, which is read-only. */
  async function looking(options: TestAppOptions = {}) {
    let writer: SessionManager | undefined;
    const app = await start({
      ...options,
      session: (folder) => {
        writer = SessionManager.create(folder, join(folder, "sessions"));
        writer.appendMessage({ role: "user", content: "first prompt", timestamp: 1 });
        return SessionManager.open(writer.getSessionFile() as string, undefined, { readOnly: true });
      },
    });
    await app.shows("first prompt");
    return { app, writer: writer as unknown as SessionManager };
  }

  test("shows what the other one adds, and goes where it goes", async () => {
    const { app, writer } = await looking();
    await app.shows("Read-only.\n Alt+R continues here on your own branch.");
    const [first] = writer.getEntries();
    writer.appendMessage({ role: "user", content: PROMPT, timestamp: 2 });
    await app.shows(PROMPT);
    expect(app.agent.session.getLeafId()).toBe(writer.getLeafId());
    writer.branch(first?.id as string);
    writer.appendMessage({ role: "user", content: "another way", timestamp: 3 });
    await app.shows("another way");
    expect(await app.screen()).not.toContain(PROMPT);
    expect(await app.screen()).not.toContain("Another window added");
    writer.close();
  });

  test("one key reopens it for writing, on its own branch", async () => {
    const { app, writer } = await looking({ model: scriptedModel(["answered here"]) });
    app.type("hello");
    app.press("enter");
    await app.shows("Read-only.\n Alt+R continues here");
    expect(app.terminal.host.editorText()).toBe("hello");
    expect(await app.screen()).not.toContain("Open it for writing");
    app.press("alt+r");
    await app.shows("Now writable. Your next message starts your own branch here.");
    app.press("enter");
    await app.shows("answered here");
    await app.agent.whenIdle();
    writer.refresh();
    writer.appendMessage({ role: "user", content: PROMPT, timestamp: 2 });
    await app.shows("Another window added");
    expect(await app.screen()).not.toContain(PROMPT);
    expect(writer.getTipIds()).toHaveLength(2);
    writer.close();
  });

  test("one that is at another position stays there", async () => {
    const { app, writer } = await looking();
    app.agent.session.resetLeaf();
    writer.appendMessage({ role: "user", content: PROMPT, timestamp: 2 });
    await app.shows("Another window added 1 ");
    expect(app.agent.session.getLeafId()).toBeNull();
    writer.close();
  });

  test("the key says why it does nothing in a session that can be written", async () => {
    const app = await start();
    app.press("alt+r");
    await app.shows("This session is already writable.");
  });
});

describe("odd windows", () => {
  test.each([
    [20, 6],
    [40, 10],
    [120, 40],
  ])("%d columns and %d rows are filled, also after a change", async (columns, rows) => {
    const app = await start({ columns: 80, rows: 24 });
    app.resize(columns, rows);
    const lines = await app.lines();
    expect(lines).toHaveLength(rows);
    expect(lines.some((line) => line !== "")).toBe(true);
  });

  test("ASCII if the locale has nothing else, and no colors if none are wanted", async () => {
    const app = await start({ env: { LANG: "C", NO_COLOR: "1" } });
    await app.screen();
    expect(app.port.written).not.toMatch(/[^\x00-\x7f]/);
    expect(app.port.written).not.toMatch(/\x1b\[[0-9;]*3[0-8][;m]/);
  });
});
