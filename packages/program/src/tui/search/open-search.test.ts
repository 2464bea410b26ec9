import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { assistant, user } from "../../../../../test/support/messages.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListApp, type ListAppOptions, listApp, until } from "../list/screen-app.test-support.js";
import { openSearch } from "./open-search.js";

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

/** A path, an abandoned branch, and a compaction: each mentions the tokenizer. */
function ownSession(): { readonly session: SessionManager; readonly ids: Readonly<Record<string, string>> } {
  const session = SessionManager.create("/project", dir, { now: () => new Date(NOW - 3_600_000) });
  const old = session.appendMessage(user("the tokenizer of old"));
  const kept = session.appendMessage(assistant("I look at it."));
  const left = session.appendMessage(user("a tokenizer by hand"));
  session.branch(kept);
  session.appendCompaction("what came before", kept, 100);
  const now = session.appendMessage(user("keep the \x1b[31mtokenizer\x07 and test it"));
  session.recordPosition();
  return { session, ids: { old, kept, left, now } };
}

function otherSession(folder = dir): { readonly file: string; readonly id: string } {
  mkdirSync(folder, { recursive: true });
  const session = SessionManager.create("/elsewhere", folder, { now: () => new Date(NOW - 7_200_000) });
  const id = session.appendMessage(user("another tokenizer"));
  session.appendSessionInfo("grammar work");
  session.close();
  return { file: session.getSessionFile() as string, id };
}

interface Opened extends ListApp {
  readonly closed: Promise<void>;
  readonly ids: Readonly<Record<string, string>>;
}

async function searchApp(words: string, options: ListAppOptions = {}): Promise<Opened> {
  const { session, ids } = ownSession();
  const made = listApp({ now: NOW, home, sessionDir: dir, ...options, agent: { session } });
  const closed = openSearch(made.app, { screen: "search", words });
  await until(made.host, (screen) => !/earching|files?…/.test(screen));
  return { ...made, closed, ids };
}

const done = (screen: string): boolean => !/earching|files?…/.test(screen);

describe("searching", () => {
  it("shows hits with their text and position", async () => {
    const { host } = await searchApp("tokenizer", { height: 11 });
    const at = (width: number): string => {
      host.resize({ width, height: 11 });
      return `\n${host.screen}\n`;
    };
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Search · 3 hits  /tokenizer
       ───────────────────────────────────────
       ❯ ~ the tokenizer of old             1h
         ▸ a tokenizer by hand              1h
         @ keep the tokenizer and test it   1h
       ───────────────────────────────────────
       This session, before a compaction
       Enter go there  / other words  ? keys
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Search · 3 hits in this session  /tokenizer
       ───────────────────────────────────────────────────────────────────────────────
       ❯ ~ prompt  the tokenizer of old                                             1h
         ▸ prompt  a tokenizer by hand                                              1h
         @ prompt  keep the tokenizer and test it                                   1h
       ───────────────────────────────────────────────────────────────────────────────
       This session, before a compaction
       Enter go there   / other words   Tab this folder   t in tree   ? keys    1 of 3
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Search · 3 hits in this session  /tokenizer
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       ❯ ~ prompt  the tokenizer of old                                                                                     1h
         ▸ prompt  a tokenizer by hand                                                                                      1h
         @ prompt  keep the tokenizer and test it                                                                           1h
       ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
       This session, before a compaction
       Enter go there   / other words   Tab this folder   t in tree   ? keys                                            1 of 3
      "
    `);
  });

  it("goes to an entry of the conversation, and to the tree where it is not shown there", async () => {
    const { host, closed, shown, asked, ids } = await searchApp("tokenizer");
    host.press("end", "enter");
    await closed;
    expect(shown).toEqual([ids.now]);
    expect(asked).toEqual([]);
  });

  it.each([
    ["a branch that was left", "by hand", "left"],
    ["what is before a compaction", "of old", "old"],
  ])("shows %s in the tree", async (_what, words, name) => {
    const { host, closed, shown, asked, ids } = await searchApp(words);
    host.press("enter");
    await closed;
    expect(shown).toEqual([]);
    expect(asked).toEqual([{ screen: "tree", select: ids[name] }]);
  });

  it("looks further with Tab, and opens another session at the entry", async () => {
    const other = otherSession();
    otherSession(join(home, "sessions", "--other--"));
    const { host, closed, session, shown } = await searchApp("another tokenizer");
    expect(host.screen).toContain('No entry matches "another tokenizer". Tab looks further.');
    host.press("tab");
    await until(host, (screen) => done(screen) && screen.includes("1 hit in this folder"));
    expect(host.screen).toContain("grammar work, on the path");
    host.press("tab");
    await until(host, (screen) => done(screen) && screen.includes("2 hits in all sessions"));
    host.press("tab");
    await until(host, (screen) => done(screen) && screen.includes("in this session"));
    host.press("tab");
    await until(host, (screen) => done(screen) && screen.includes("1 hit in this folder"));
    host.press("enter");
    await closed;
    expect(session.getSessionFile()).toBe(other.file);
    expect(shown).toEqual([other.id]);
  });

  it("asks for words where none were given, and for others with a slash", async () => {
    const { host, closed } = await searchApp("");
    expect(host.screen).toContain("Type words");
    host.type("by hand");
    expect(host.lines.at(-1)).toBe(" /by hand");
    host.press("enter");
    await until(host, (screen) => done(screen) && screen.includes("1 hit"));
    host.press("/");
    host.type(" zzz");
    host.press("esc");
    expect(host.lines[0]).toContain("/by hand");
    expect(host.lines[0]).not.toContain("zzz");
    host.press("esc");
    await closed;
  });

  it("closes with Esc where no words were typed", async () => {
    const { host, closed } = await searchApp("");
    host.press("esc");
    await closed;
    expect(host.top).toBeUndefined();
  });

  it("says what is wrong with a pattern", async () => {
    const { host } = await searchApp("re:(");
    expect(host.screen).toContain("The pattern is not a regular expression");
  });

  it("is stopped by Esc and keeps what was found; a second Esc closes it", async () => {
    const { session } = ownSession();
    const made = listApp({ now: NOW, home, sessionDir: dir, agent: { session } });
    const closed = openSearch(made.app, { screen: "search", words: "tokenizer" });
    made.host.press("esc");
    expect(made.host.lines[0]).toContain("stopped");
    made.host.press("esc");
    await closed;
    expect(made.host.top).toBeUndefined();
  });

  it("copies the address of a hit", async () => {
    const { host, session, ids } = await searchApp("by hand");
    host.press("y");
    expect(host.copied).toEqual([`${session.getSessionId()}#${ids.left}`]);
  });
});
