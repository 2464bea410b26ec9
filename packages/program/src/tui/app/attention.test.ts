import { scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Panel } from "../host/panel.js";
import { notification } from "../terminal/notify.js";
import { TestApp, type TestAppOptions } from "./app.test-support.js";
import { Attention } from "./attention.js";

const open: TestApp[] = [];

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await TestApp.open(options);
  open.push(app);
  return app;
}

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** Titles in the order they were set. */
function titles({ port: { written } }: TestApp): string[] {
  return [...written.matchAll(/\x1b\]0;([^\x07]*)\x07/g)].map(([, title = ""]) => title);
}

/** A BEL that does not end a title sequence. */
function bells({ port: { written } }: TestApp): number {
  return written.replace(/\x1b\][^\x07\x1b]*\x07/g, "").split("\x07").length - 1;
}

async function answered(app: TestApp, awayMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    app.agent.subscribe((event) => event.type === "run_end" && resolve());
  });
  app.type("hello");
  app.press("enter");
  app.advance(awayMs);
  await ended;
}

const says = () => scriptedModel([{ text: "the answer" }]);

describe("the title of the terminal", () => {
  test("has the folder or the session's name, and a star while the agent works", async () => {
    const app = await start({ model: says() });
    const folder = app.folder.split("/").at(-1);
    await answered(app, 0);
    app.type("/rename parser work");
    app.press("enter");
    await app.shows('Renamed to "parser work"');
    await app.screen();
    expect(titles(app)).toEqual([`bough: ${folder}`, `* bough: ${folder}`, `bough: ${folder}`, "bough: parser work"]);
  });

  test("is kept before and given back at the end", async () => {
    const app = await start();
    await app.screen();
    expect(app.port.written.indexOf("\x1b[22;0t")).toBeLessThan(app.port.written.indexOf("\x1b]0;bough"));
    await app.close();
    expect(app.port.written).toContain("\x1b[23;0t");
  });

  test("is left alone if the settings say so", async () => {
    const app = await start({ settings: { terminalTitle: false } });
    await app.screen();
    expect(app.port.written).not.toContain("\x1b]0;");
  });
});

describe("a user who looks elsewhere", () => {
  test("is called when the answer is there", async () => {
    const app = await start({ model: says() });
    await answered(app, 60_000);
    expect(bells(app)).toBe(1);
  });

  test("is not called right after pressing a key", async () => {
    const app = await start({ model: says() });
    await answered(app, 2000);
    expect(bells(app)).toBe(0);
  });

  test("is not called if the settings say so", async () => {
    const app = await start({ model: says(), settings: { notifications: "off" } });
    await answered(app, 60_000);
    expect(bells(app)).toBe(0);
  });

  test("is called when a question is asked, once", async () => {
    const app = await start();
    app.type("run ls -la");
    app.press("enter");
    app.advance(60_000);
    await app.shows("ls -la");
    await app.shows(/once/);
    await app.screen();
    await app.screen();
    expect(bells(app)).toBe(1);
    expect(titles(app).at(-1)).toMatch(/^\? bough: /);
    // Nothing else goes on meanwhile.
    const footer = (await app.screen()).trimEnd().split("\n").at(-1);
    expect(footer).toContain("Waiting for your answer");
    expect(footer).not.toContain("Working");
  });
});

describe("a question that opens right after a key", () => {
  const question: Panel = {
    name: "permission",
    share: "fit",
    isQuestion: true,
    draw: () => ({ lines: [] }),
    handleKey: () => true,
  };
  let time = 0;
  let lastKeyAt = 0;
  let calls: string[] = [];

  function working(): Attention {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    time = 100_000;
    lastKeyAt = time - 2000;
    calls = [];
    const attention = new Attention({
      write: (data) => calls.push(data),
      setTitle: () => {},
      env: { TERM_PROGRAM: "iTerm.app" },
      now: () => time,
      lastKeyAt: () => lastKeyAt,
    });
    attention.follow({
      session: () => ({ getSessionName: () => "parser work" }),
      settings: () => ({}),
      cwd: "/home/dev/parser",
    });
    attention.handleEvent({ type: "run_start" } as Parameters<typeof attention.handleEvent>[0]);
    return attention;
  }

  function pass(seconds: number): void {
    for (let second = 0; second < seconds; second++) {
      time += 1000;
      vi.advanceTimersByTime(1000);
    }
  }

  afterEach(() => {
    vi.useRealTimers();
  });

  const SAID = "\x1b]9;Needs your answer: parser work\x1b\\";

  test("calls as soon as ten seconds have passed without one, and once", () => {
    const attention = working();
    attention.look(question);
    pass(7);
    expect(calls).toEqual([]);
    pass(1);
    expect(calls).toEqual([SAID]);
    pass(60);
    expect(calls).toEqual([SAID]);
  });

  test("waits while keys are pressed in it, and says nothing once it is answered", () => {
    const attention = working();
    attention.look(question);
    pass(5);
    lastKeyAt = time;
    pass(9);
    expect(calls).toEqual([]);
    attention.look(undefined);
    pass(60);
    expect(calls).toEqual([]);
    attention.look({ ...question });
    expect(calls).toEqual([SAID]);
  });

  test("says nothing after the terminal was given back", () => {
    const attention = working();
    attention.look(question);
    attention.stop();
    pass(60);
    expect(calls).toEqual([]);
  });
});

describe("how the desktop is notified", () => {
  test.each([
    [{ TERM_PROGRAM: "iTerm.app" }, "\x1b]9;Done: x\x1b\\"],
    [{ TERM: "xterm-kitty" }, "\x1b]99;;Done: x\x1b\\"],
    [{ VTE_VERSION: "7600" }, "\x1b]777;notify;Bough;Done: x\x1b\\"],
    [{ TERM: "xterm-256color" }, "\x07"],
    [{ TERM_PROGRAM: "WezTerm", TMUX: "/tmp/tmux-0/default,1,0" }, "\x07"],
  ])("with %j", (env, expected) => {
    expect(notification("Done: x", { kind: "auto", env })).toBe(expected);
  });

  test("a name cannot add escape sequences", () => {
    const said = notification("Done: \x1b]0;evil\x07;x", { kind: "auto", env: { TERM_PROGRAM: "iTerm.app" } });
    expect(said.slice(4, -2)).not.toMatch(/[\x1b\x07;]/);
  });
});

describe("leaving", () => {
  test("prints the last answer, and how to resume", async () => {
    const app = await start({ model: says() });
    await answered(app, 0);
    expect(app.terminal.farewell()).toMatch(/^the answer\n\nSession saved in .*\nTo resume: bough -r /);
  });

  test("does not print an answer of another day", async () => {
    const first = await start({ model: says() });
    await answered(first, 0);
    const file = first.agent.session.getSessionFile() as string;
    await first.close();
    const again = await start({ folder: first.folder, session: () => SessionManager.open(file) });
    expect(again.terminal.farewell()).toMatch(/^Session saved in /);
  });

  test("cuts a long answer, and shows what it hides as text", async () => {
    const text = ["\x1b]0;evil\x07", ...Array.from({ length: 100 }, (_, at) => `line ${at}`)].join("\n");
    const app = await start({ model: scriptedModel([{ text }]) });
    await answered(app, 0);
    const lines = app.terminal.farewell().split("\n");
    expect(lines[0]).toBe("\\x1b]0;evil\\x07");
    expect(lines[60]).toBe("(41 more lines)");
  });
});
