/** Sessions among others: lists, the most recent, forks, new ones, and moving between files. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionManager, sessionFolder } from "@bough/session/session/index.js";
import { exactSessionInfo } from "@bough/session/session/internal.js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { breakFiles, mendFiles, systemError } from "../support/file-faults.js";
import { user } from "../support/messages.js";
import { HEADER_LINE, line, positionLine } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { drawn, readableIds, seconds, tree } from "../support/tree-notation.js";

afterEach(() => vi.unstubAllEnvs());

const ids = (session: SessionManager) => session.getEntries().map(({ id }) => id);

describe("where sessions live", () => {
  it("is a folder of their working directory under BOUGH_HOME, with time and id as their name", () => {
    const home = tempFolder();
    vi.stubEnv("BOUGH_HOME", home);
    const options = { now: seconds(), newSessionId: () => "an-id" };
    const session = SessionManager.create("/work dir/a:b", undefined, options);
    const folder = join(home, "sessions", "--work dir-a-b--");
    expect([session.getSessionFile(), session.getSessionDir(), sessionFolder("/work dir/a:b")]).toEqual([
      join(folder, "2026-01-15T12-00-00-000Z_an-id.jsonl"),
      folder,
      folder,
    ]);
    expect(readdirSync(home)).toEqual([]);
    session.appendMessage(user("a"));
    expect(readdirSync(folder)).toEqual(["2026-01-15T12-00-00-000Z_an-id.jsonl"]);
    session.close();
  });

  it("is listed by working directory, and all together", async () => {
    vi.stubEnv("BOUGH_HOME", tempFolder());
    for (const [i, cwd] of ["/one", "/two", "/one"].entries()) {
      const session = SessionManager.create(cwd, undefined, { now: seconds(Date.UTC(2026, 0, 1 + i)) });
      session.appendMessage(user(`prompt ${i}`));
      session.appendSessionInfo(`name ${i}`);
      session.close();
    }
    const told = ({ cwd, name, firstMessage, messageCount, branchCount }: Record<string, unknown>) =>
      [cwd, name, firstMessage, messageCount, branchCount].join(", ");
    const one = await SessionManager.list("/one");
    const all = await SessionManager.listAll();
    expect([one, all].map((list) => list.map((info) => told({ ...info })))).toEqual([
      ["/one, name 2, prompt 2, 1, 1", "/one, name 0, prompt 0, 1, 1"],
      ["/one, name 2, prompt 2, 1, 1", "/two, name 1, prompt 1, 1, 1", "/one, name 0, prompt 0, 1, 1"],
    ]);
  });

  it("is told exactly of a large session when asked, without a change to it", async () => {
    const dir = tempFolder();
    const session = tree("a-b; a-c", { dir });
    for (let i = 0; i < 400; i++) session.appendMessage(user("x".repeat(200)));
    session.close();
    const file = session.getSessionFile() as string;
    const before = readFileSync(file);
    const [info] = await SessionManager.list("/w", dir);
    expect(info).toMatchObject({ exact: false, messageCount: undefined, firstMessage: "a" });
    expect(exactSessionInfo(info as NonNullable<typeof info>)).toMatchObject({
      exact: true,
      messageCount: 403,
      branchCount: 2,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("going on with the most recent session", () => {
  it("opens the one that was written last, at its leaf", () => {
    const dir = tempFolder();
    const [old, recent] = ["old", "recent"].map((id) => {
      const session = tree("a-b*-c", { dir, options: { newSessionId: () => id } });
      session.close();
      return session.getSessionFile() as string;
    }) as [string, string];
    utimesSync(old, new Date(1), new Date(1));
    const session = SessionManager.continueRecent("/w", dir);
    expect([session.getSessionFile(), drawn(session)]).toEqual([recent, "a-b*-c"]);
    session.close();
  });

  it("starts a new one where there is none, and where there are only files that are none", () => {
    const dir = tempFolder();
    writeFileSync(join(dir, "broken.jsonl"), "broken");
    const session = SessionManager.continueRecent("/w", dir);
    expect([session.getEntries(), session.getCwd(), dirname(session.getSessionFile() as string)]).toEqual([
      [],
      "/w",
      dir,
    ]);
  });
});

describe("a fork of a path", () => {
  it("is a new file with the path alone, its labels, and where it came from; the source stays as it is", () => {
    const dir = tempFolder();
    const session = tree("a-b-c; b-d-e; a-l*", {
      dir,
      entries: { l: (to) => to.appendLabelChange("b", "fork here") },
    });
    session.branch("e");
    session.recordPosition();
    const source = session.getSessionFile() as string;
    const before = readFileSync(source, "utf8");
    const file = session.createBranchedSession("d") as string;
    expect(readFileSync(source, "utf8")).toBe(before);
    expect([session.getSessionFile(), session.getHeader().parentSession, session.getLabel("b")]).toEqual([
      file,
      source,
      "fork here",
    ]);
    expect(drawn(session)).toMatch(/^a-b-d-n\d\*$/);
    const copied = readFileSync(file, "utf8").split("\n").slice(1, 4);
    expect(copied).toEqual(before.split("\n").filter((text) => /"id":"[abd]"/.test(text)));
    session.appendMessage(user("goes on"));
    session.close();
    expect(readFileSync(source, "utf8")).toBe(before);
  });

  it("keeps the anchor of a compaction valid, when that was a label", () => {
    const session = tree("a-l-b-k-c", {
      dir: tempFolder(),
      entries: {
        l: (to) => to.appendLabelChange("a", "x"),
        k: (to) => to.appendCompaction("short", "l", 10),
      },
    });
    const { messages } = session.buildSessionContext();
    session.createBranchedSession("c");
    expect(session.getEntry("k")).toMatchObject({ parentId: "b", firstKeptEntryId: "b" });
    expect(session.buildSessionContext().messages).toEqual(messages);
    session.close();
  });

  it("can be made of a session that only waits to be repaired", () => {
    const dir = tempFolder();
    const path = join(dir, "headless.jsonl");
    writeFileSync(path, line("a", null) + line("b", "a"));
    const session = SessionManager.open(path, dir, { newId: readableIds().next });
    expect(session.getReadOnlyReason()?.kind).toBe("no-header");
    session.createBranchedSession("b");
    session.appendMessage(user("goes on"));
    expect([drawn(session), session.getReadOnlyReason(), readFileSync(path, "utf8")]).toEqual([
      "a-b-n1*",
      undefined,
      line("a", null) + line("b", "a"),
    ]);
    session.close();
  });

  it("in memory stays in memory, and answers no file", () => {
    const session = tree("a-b-c; b-d", { entries: { c: (to) => to.appendLabelChange("b", "x") } });
    const file = session.createBranchedSession("d");
    expect([file, session.isPersisted(), session.getSessionFile(), ids(session).slice(0, 3)]).toEqual([
      undefined,
      false,
      undefined,
      ["a", "b", "d"],
    ]);
    expect([session.getLabel("b"), session.getHeader().parentSession]).toEqual(["x", undefined]);
  });

  it("on a full disk is an error with a code, leaves no file, and the session where it was", () => {
    const dir = tempFolder();
    const session = tree("a-b", { dir, options: { newSessionId: () => `session-${readdirSync(dir).length}` } });
    const before = readdirSync(dir);
    breakFiles("writeSync", () => {
      throw systemError("ENOSPC");
    });
    expect(() => session.createBranchedSession("a")).toThrow(expect.objectContaining({ code: "disk-full" }));
    mendFiles();
    expect([readdirSync(dir), drawn(session)]).toEqual([before, "a-b*"]);
    session.appendMessage(user("c"));
    expect(drawn(session)).toBe("a-b-n1*");
    session.close();
  });
});

describe("a copy of a whole session", () => {
  it("has every entry byte for byte, the leaf, another directory, and where it came from", () => {
    const source = tree("a-b-c; b-d*-e", { dir: tempFolder() });
    source.close();
    const path = source.getSessionFile() as string;
    const before = readFileSync(path, "utf8");
    const dir = tempFolder();
    const copy = SessionManager.forkFrom(path, "/elsewhere", dir);
    expect([drawn(copy), copy.getHeader()]).toMatchObject([
      "a-b-c; b-d*-e",
      { cwd: "/elsewhere", parentSession: path, version: 3 },
    ]);
    const file = copy.getSessionFile() as string;
    copy.close();
    const body = (text: string) => text.slice(text.indexOf("\n") + 1);
    expect(body(readFileSync(file, "utf8"))).toBe(body(before));
    expect([readFileSync(path, "utf8"), dirname(file)]).toEqual([before, dir]);
  });

  it("of a file that is not there, or is no session, is an error with a code and leaves nothing behind", () => {
    const dir = tempFolder();
    const notes = join(tempFolder(), "notes.jsonl");
    writeFileSync(notes, "notes\n");
    expect(() => SessionManager.forkFrom("/nowhere.jsonl", "/w", dir)).toThrow(
      expect.objectContaining({ code: "session-not-found" }),
    );
    expect(() => SessionManager.forkFrom(notes, "/w", dir)).toThrow(expect.objectContaining({ code: "not-a-session" }));
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe("another session in the same place", () => {
  it("is started by newSession, and the one before is closed with its position", () => {
    const dir = tempFolder();
    const session = tree("a-b", { dir, options: { newSessionId: () => "first" } });
    const first = session.getSessionFile() as string;
    session.branch("a");
    const second = session.newSession({ id: "second", parentSession: first }) as string;
    expect([session.getEntries(), session.getLeafId(), session.getSessionId()]).toEqual([[], null, "second"]);
    expect(readdirSync(dir)).toEqual([first.slice(dir.length + 1)]);
    session.appendMessage(user("x"));
    session.close();
    const [one, two] = [first, second].map((file) => SessionManager.open(file, undefined, { readOnly: true }));
    expect([one?.getLeafId(), two?.getHeader().parentSession, ids(two as SessionManager).length]).toEqual([
      "a",
      first,
      1,
    ]);
    one?.close();
    two?.close();
  });

  it("is gone to by setSessionFile, at its own leaf; a file that is none leaves everything as it was", () => {
    const dir = tempFolder();
    const other = tree("x-y*-z", { dir, options: { newSessionId: () => "other" } });
    other.close();
    const session = tree("a-b", { dir });
    writeFileSync(join(dir, "notes"), "notes");
    mkdirSync(join(dir, "folder"));
    for (const name of ["notes", "folder"]) {
      expect(() => session.setSessionFile(join(dir, name))).toThrow(expect.objectContaining({ name: "SessionError" }));
    }
    session.appendMessage(user("c"));
    expect(drawn(session)).toBe("a-b-n1*");
    session.setSessionFile(other.getSessionFile() as string);
    expect([drawn(session), session.getSessionId()]).toEqual(["x-y*-z", "other"]);
    session.close();
  });

  it("is a file that an unsaved session goes to, and leaves again", () => {
    const file = join(tempFolder(), "session.jsonl");
    writeFileSync(file, HEADER_LINE + line("a", null));
    const session = SessionManager.inMemory("/w", { newId: readableIds().next });
    session.setSessionFile(file);
    expect([session.isPersisted(), drawn(session)]).toEqual([true, "a*"]);
    expect([session.newSession(), session.isPersisted(), session.getSessionFile()]).toEqual([
      undefined,
      false,
      undefined,
    ]);
    session.appendMessage(user("in memory"));
    session.close();
    expect(readFileSync(file, "utf8")).toBe(HEADER_LINE + line("a", null));
  });
});

describe("several roots", () => {
  it("are made by going before the first entry, in memory and in a file", () => {
    for (const dir of [undefined, tempFolder()]) {
      const session = tree("a-b; r-s", dir === undefined ? {} : { dir });
      session.resetLeaf();
      expect([session.getLeafId(), session.getBranch(), session.buildSessionContext().messages]).toEqual([
        null,
        [],
        [],
      ]);
      session.branchWithSummary(null, "left everything");
      expect([drawn(session), session.getChildren(null).map(({ id }) => id)]).toEqual([
        "a-b; r-s; n1*",
        ["a", "r", "n1"],
      ]);
      expect(session.getEntry("n1")).toMatchObject({ parentId: null, fromId: "root" });
      session.close();
    }
  });

  it("are all there after reopening", () => {
    const file = join(tempFolder(), "session.jsonl");
    writeFileSync(file, HEADER_LINE + line("a", null) + line("r", null) + line("s", "r") + positionLine("p", null));
    const session = SessionManager.open(file, undefined, { newId: readableIds().next });
    expect([session.getLeafId(), session.getTree().map(({ id }) => id)]).toEqual([null, ["a", "r", "p"]]);
    session.appendMessage(user("third"));
    session.close();
    const again = SessionManager.open(file, undefined, { readOnly: true });
    expect(drawn(again)).toBe("a; r-s; n1*");
    again.close();
  });
});
