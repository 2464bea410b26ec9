import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { announcePresence } from "@bough/session/log/index.js";
import { listArchived, SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { user } from "../../../../../test/support/messages.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListApp, type ListAppOptions, listApp, until } from "../list/screen-app.test-support.js";
import { openResume } from "./open-resume.js";

const NOW = Date.UTC(2025, 5, 1);
let home = "";
let dir = "";
let before: string | undefined;

beforeEach(() => {
  before = process.env.BOUGH_HOME;
  home = tempFolder();
  process.env.BOUGH_HOME = home;
  dir = join(home, "sessions", "--project--");
  mkdirSync(dir, { recursive: true });
});

afterEach(() => {
  if (before === undefined) delete process.env.BOUGH_HOME;
  else process.env.BOUGH_HOME = before;
});

interface Made {
  readonly prompts: readonly string[];
  readonly name?: string;
  readonly hoursAgo: number;
  readonly folder?: string;
  readonly cwd?: string;
}

function makeSession({ prompts, name, hoursAgo, folder = dir, cwd = "/home/dev/parser" }: Made): string {
  mkdirSync(folder, { recursive: true });
  const session = SessionManager.create(cwd, folder, { now: () => new Date(NOW - hoursAgo * 3_600_000) });
  for (const prompt of prompts) session.appendMessage(user(prompt));
  if (name !== undefined) session.appendSessionInfo(name);
  session.close();
  return session.getSessionFile() as string;
}

function threeSessions(): { readonly parser: string; readonly docs: string; readonly old: string } {
  return {
    parser: makeSession({ prompts: ["wire the tokenizer into the CLI", "and test it"], hoursAgo: 2 }),
    docs: makeSession({ prompts: ["write the \x1b[31mreadme\x07 anew"], name: "docs", hoursAgo: 5 }),
    old: makeSession({
      prompts: ["a very long first prompt that says what all of this was about, in one go"],
      hoursAgo: 900,
    }),
  };
}

async function resumeApp(
  options: ListAppOptions & { readonly search?: string } = {},
): Promise<ListApp & { closed: Promise<void> }> {
  const made = listApp({ now: NOW, home, sessionDir: dir, ...options });
  const closed = openResume(made.app, {
    screen: "resume",
    search: options.search,
  });
  await until(made.host, (screen) => !/eading/.test(screen));
  return { ...made, closed };
}

describe("the list of sessions", () => {
  it("shows what is in this folder", async () => {
    threeSessions();
    const { host } = await resumeApp({ height: 9 });
    const at = (width: number): string => {
      host.resize({ width, height: 9 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Sessions · 3               sort: recent
       ───────────────────────────────────────
       ❯ wire the tokenizer into the …     2h
         docs                              5h
         a very long first prompt tha…     5w
       Enter open  Tab all folders  ? keys
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Sessions · 3 in this folder                                    sort: recent (o)
         name                                                messages  branches  last
       ❯ wire the tokenizer into the CLI                            2         1    2h
         docs                                                       1         1    5h
         a very long first prompt that says what all of t…          1         1    5w
       Enter open   Tab all folders   / filter   m rename   ? keys     1 of 3 sessions
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Sessions · 3 in this folder                                                                            sort: recent (o)
         name                                                                               messages  branches     size  last
       ❯ wire the tokenizer into the CLI                                                           2         1    485 B    2h
         docs                                                                                      1         1    446 B    5h
         a very long first prompt that says what all of this was about, in one go                  1         1    358 B    5w
       Enter open   Tab all folders   / filter   m rename   x archive   ? keys                                 1 of 3 sessions
      "
    `);
  });

  it("searches, sorts, and clears the search before it closes", async () => {
    threeSessions();
    const { host, closed } = await resumeApp();
    const titles = () =>
      host.lines.filter((line) => /(wire|docs|a very)/.test(line)).map((line) => line.slice(3, 9).trim());
    host.press("/");
    host.type("tokenizer");
    expect(host.lines.at(-1)).toBe(" /tokenizer");
    expect(titles()).toEqual(["wire t"]);
    host.press("enter", "esc");
    expect(titles()).toEqual(["wire t", "docs", "a very"]);
    host.press("o");
    expect(titles()).toEqual(["docs", "a very", "wire t"]);
    host.press("/");
    host.type("zzz");
    host.press("enter");
    await until(host, (screen) => screen.includes('No session matches "zzz". Esc clears the search.'));
    host.press("esc", "esc");
    await closed;
    expect(host.top).toBeUndefined();
  });

  it("finds what was said in a session, as words, a phrase or a pattern, and says where", async () => {
    threeSessions();
    const session = SessionManager.create("/home/dev/parser", dir, { now: () => new Date(NOW - 3_600_000) });
    const first = session.appendMessage(user("plant a tree"));
    session.appendMessage(user("the birch needs   water\nevery day"));
    session.branch(first);
    session.appendMessage(user("an oak instead"));
    session.close();
    for (const words of ["water birch", '"needs water every"', "re:bir.h"]) {
      const { host, closed } = await resumeApp({ search: words });
      await until(host, (screen) => screen.includes("you, on another branch: the birch needs water every day"));
      expect([host.lines[0], host.screen]).toEqual([
        expect.stringContaining("1 of 4"),
        expect.stringContaining("❯ plant a tree"),
      ]);
      host.press("esc", "esc");
      await closed;
    }
  });

  it("searches messages for the words as they are now, and for none that were typed before", async () => {
    threeSessions();
    const { host } = await resumeApp();
    host.press("/");
    host.type("and test");
    await until(host, (screen) => screen.includes("you: and test it"));
    host.type("zzz");
    await until(host, (screen) => screen.includes("No session matches") || screen.includes("0 of 3"));
    await until(host, (screen) => !screen.includes("earching messages"));
    expect(host.screen).not.toContain("wire the tokenizer");
    host.press("enter", "esc");
    await until(host, (screen) => screen.includes("wire the tokenizer"));
    host.press("/");
    host.type("re:(");
    await until(host, (screen) => !screen.includes("earching messages"));
  });

  it("begins with the words that were given", async () => {
    threeSessions();
    const { host } = await resumeApp({ search: "readme" });
    expect(host.lines[0]).toContain("1 of 3");
    expect(host.screen).toContain("docs");
  });

  it("shows all folders, other agents and the archive with Tab", async () => {
    threeSessions();
    makeSession({
      prompts: ["elsewhere"],
      hoursAgo: 1,
      folder: join(home, "sessions", "--other--"),
      cwd: "/srv/other",
    });
    const { host } = await resumeApp({ width: 120 });
    host.press("tab");
    await until(host, (screen) => screen.includes("/srv/other") && !/reading/.test(screen));
    host.press("tab");
    await until(host, (screen) => screen.includes("None found in the default folders."));
    host.press("tab");
    await until(host, (screen) => screen.includes("The archive is empty."));
    expect(host.lines.at(-1)).toContain("Tab this folder");
  });

  it("opens the chosen session", async () => {
    const { docs } = threeSessions();
    const { host, closed, session } = await resumeApp();
    host.press("down", "enter");
    await closed;
    expect(session.getSessionFile()).toBe(docs);
    expect(host.statusLine?.message).toBe('Opened "docs".');
  });

  it("asks before it joins a session that another process has open", async () => {
    const { parser } = threeSessions();
    const { host, closed, session } = await resumeApp();
    mkdirSync(join(dir, ".presence"), { recursive: true });
    const record = {
      pid: 1,
      host: "far-away",
      program: "bough",
      mode: "write",
      startedAt: new Date(NOW).toISOString(),
    };
    const file = join(dir, ".presence", `${basename(parser)}.1.000000000000.json`);
    writeFileSync(file, JSON.stringify({ ...record, sessionFile: basename(parser) }));
    host.press("enter");
    expect(host.top?.name).toBe("presence");
    expect(host.screen).toContain("This session is open in bough (process 1 on far-away).");
    host.press("esc");
    await host.settle();
    expect(host.top?.name).toBe("resume");
    host.press("enter", "enter");
    await closed;
    expect(session.getSessionFile()).toBe(parser);
  });

  it("says why the session that is open cannot be opened or archived", async () => {
    const { parser } = threeSessions();
    const { host } = await resumeApp({ agent: { session: SessionManager.open(parser) } });
    expect(host.screen).toMatch(/❯@wire the tokenizer/);
    host.press("enter");
    expect(host.statusLine?.message).toBe("This session is already open.");
    host.press("x");
    expect(host.statusLine).toMatchObject({
      message: "This session is open here.",
      hint: "Open another one first.",
    });
  });

  it("stays on the session that was chosen while others arrive", async () => {
    threeSessions();
    const { host } = await resumeApp();
    host.press("down");
    expect(host.lines.find((line) => line.startsWith(" ❯"))).toContain("docs");
    host.press("o");
    expect(host.lines.find((line) => line.startsWith(" ❯"))).toContain("docs");
  });
});

describe("renaming", () => {
  it("names a session in place and writes it to its file; an empty name changes nothing", async () => {
    const { parser } = threeSessions();
    const { host } = await resumeApp();
    host.press("m");
    host.type("Parser work");
    expect(host.lines.at(-1)).toBe(" Name: Parser work");
    expect(host.cursor?.column).toBe(" Name: Parser work".length);
    host.press("enter");
    expect(host.lines.find((line) => line.startsWith(" ❯"))).toContain("Parser work");
    const name = () => SessionManager.open(parser, undefined, { readOnly: true }).getSessionName();
    expect(name()).toBe("Parser work");
    host.press("m", "ctrl+u", "enter");
    expect(host.statusLine?.message).toBe("The name cannot be empty. Nothing changed.");
    expect(name()).toBe("Parser work");
  });

  it("changes nothing with Esc", async () => {
    const { parser } = threeSessions();
    const bytes = readFileSync(parser, "utf8");
    const { host } = await resumeApp();
    host.press("m");
    host.type("no");
    host.press("esc");
    expect(readFileSync(parser, "utf8")).toBe(bytes);
    expect(host.top?.name).toBe("resume");
  });
});

describe("a link to another program's file in the list", () => {
  it("is neither renamed nor archived", async () => {
    const file = makeSession({ prompts: ["from pi"], hoursAgo: 1, folder: join(home, ".pi/agent/sessions/--p--") });
    const link = join(dir, basename(file));
    symlinkSync(file, link);
    const bytes = readFileSync(file, "utf8");
    const { host, context } = await resumeApp();
    Object.assign(context, { agentPlaces: { home } });
    host.press("m");
    host.type("mine");
    host.press("enter");
    await until(
      host,
      () => host.statusLine?.message?.startsWith("Read-only: this session belongs to another program") === true,
    );
    host.status("", "info");
    host.press("x");
    await until(
      host,
      () => host.statusLine?.message?.startsWith("Read-only: this session belongs to another program") === true,
    );
    expect([existsSync(link), readFileSync(file, "utf8")]).toEqual([true, bytes]);
  });
});

describe("archiving", () => {
  it("asks first, moves the file, and z restores it", async () => {
    const { parser } = threeSessions();
    const { host } = await resumeApp();
    host.press("z");
    expect(host.statusLine?.message).toBe("Nothing archived since this list was opened.");
    host.press("x");
    expect(host.screen).toContain('"wire the tokenizer into the CLI" will be archived. Nothing is deleted.');
    host.press("esc");
    await host.settle();
    expect(existsSync(parser)).toBe(true);
    host.press("x", "enter");
    await host.settle();
    expect(existsSync(parser)).toBe(false);
    expect(listArchived({ home }).map(({ from }) => from)).toEqual([parser]);
    expect(host.screen).not.toContain("wire the tokenizer");
    expect(host.statusLine?.message).toBe('Archived "wire the tokenizer into the CLI". z restores it.');
    host.press("z");
    await until(host, (screen) => screen.includes("wire the tokenizer"));
    expect(existsSync(parser)).toBe(true);
  });

  it("refuses one that is open elsewhere and names who has it", async () => {
    const { parser } = threeSessions();
    const { host } = await resumeApp();
    const presence = announcePresence(parser, { program: "other", mode: "write", now: () => new Date(NOW) });
    host.press("x", "enter");
    await host.settle();
    expect(host.statusLine?.message).toMatch(/is open in other \(process \d+\)\. Nothing changed\./);
    expect(existsSync(parser)).toBe(true);
    presence.leave();
  });

  it("restores a session from the archive with Enter", async () => {
    const { parser } = threeSessions();
    const { host } = await resumeApp();
    host.press("x", "enter");
    await host.settle();
    host.press("tab", "tab", "tab");
    await until(host, (screen) => screen.includes("1 in the archive") && !/eading/.test(screen));
    expect(host.lines.at(-1)).toContain("Enter bring back");
    host.press("x");
    expect(host.statusLine?.message).toBe("Already archived. Enter restores it.");
    host.press("enter");
    expect(existsSync(parser)).toBe(true);
  });
});

describe("thousands of sessions", () => {
  it("are there while others are still being read, and only those on the screen are counted", async () => {
    const template = readFileSync(makeSession({ prompts: ["x"], hoursAgo: 1 }), "utf8");
    const long = `${template}${'{"type":"custom","id":"c","parentId":null,"timestamp":"2025-01-01T00:00:00.000Z","customType":"t","data":"'.padEnd(50_000, "y")}"}\n`;
    for (let i = 0; i < 3000; i++) writeFileSync(join(dir, `2025_${i}.jsonl`), i < 1500 ? template : long);
    const made = listApp({ now: NOW, home, sessionDir: dir, height: 10, width: 100 });
    void openResume(made.app, { screen: "resume" });
    await until(made.host, (screen) => / of 3001…/.test(screen));
    made.host.press("down", "down");
    expect(made.host.lines.filter((line) => line.includes("x")).length).toBeGreaterThan(3);
    await until(made.host, (screen) => !/eading/.test(screen));
    expect(made.host.lines[0]).toContain("3,001");
    made.host.press("end");
    expect(made.host.screen).toContain("3,001 of 3,001 sessions");
  });
});
