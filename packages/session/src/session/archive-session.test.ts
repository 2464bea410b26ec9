import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { user } from "../../../../test/support/messages.js";
import { support } from "../../../../test/support/run-child.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { announcePresence } from "../log/index.js";
import { archiveRoot, archiveSession, listArchived, restoreSession } from "./archive-session.js";
import { SessionManager } from "./session-manager.js";

const now = () => new Date("2025-03-01T12:00:00Z");
let home = "";
let folder = "";

beforeEach(() => {
  home = tempFolder();
  folder = join(home, "sessions", "--project--");
  mkdirSync(folder, { recursive: true });
});

function newSession(text = "hello"): { readonly file: string; readonly id: string } {
  const session = SessionManager.create(folder, folder);
  session.appendMessage(user(text));
  const file = session.getSessionFile() as string;
  session.close();
  return { file, id: session.getSessionId() };
}

function archived(file: string): string {
  const outcome = archiveSession(file, { now, home });
  if (outcome.kind !== "archived") throw new Error(`not archived: ${JSON.stringify(outcome)}`);
  return outcome.path;
}

describe("archiveSession", () => {
  it("moves the file to the archive under the name of its folder, private and byte for byte", () => {
    const { file } = newSession();
    const bytes = readFileSync(file, "utf8");
    const path = archived(file);
    expect(path).toBe(join(archiveRoot(home), "--project--", basename(file)));
    expect(readFileSync(path, "utf8")).toBe(bytes);
    expect(existsSync(file)).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });

  it("takes backups and kept output along, and brings them back", () => {
    const { file, id } = newSession();
    writeFileSync(`${file}.v1.bak`, "old");
    writeFileSync(`${file}.v2.bak.1`, "older");
    const output = join(home, "output", id);
    mkdirSync(output, { recursive: true });
    writeFileSync(join(output, "long.txt"), "long");
    const path = archived(file);
    expect(readdirSync(folder).filter((name) => name !== ".presence")).toEqual([]);
    expect(readFileSync(join(`${path}.output`, "long.txt"), "utf8")).toBe("long");
    expect(restoreSession(path, { home })).toEqual({ kind: "restored", path: file, leftBehind: [] });
    expect(readFileSync(`${file}.v1.bak`, "utf8")).toBe("old");
    expect(readFileSync(`${file}.v2.bak.1`, "utf8")).toBe("older");
    expect(readFileSync(join(output, "long.txt"), "utf8")).toBe("long");
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("leaves files of other sessions whose names begin the same way", () => {
    const { file } = newSession();
    const neighbour = `${file}.copy.jsonl`;
    writeFileSync(neighbour, "mine");
    archived(file);
    expect(readFileSync(neighbour, "utf8")).toBe("mine");
  });

  it("gives a number to a name that the archive has already, and overwrites nothing", () => {
    const { file } = newSession("first");
    const first = archived(file);
    writeFileSync(file, readFileSync(first, "utf8").replace("first", "second"));
    const second = archived(file);
    expect(basename(second)).toBe(basename(file).replace(".jsonl", "-2.jsonl"));
    expect(readFileSync(first, "utf8")).toContain("first");
    expect(readFileSync(second, "utf8")).toContain("second");
    expect(listArchived({ home }).map(({ from }) => from)).toEqual([file, file]);
  });

  it("does not take a name whose record belongs to another session", () => {
    const { file } = newSession();
    const taken = join(archiveRoot(home), "--project--", basename(file));
    mkdirSync(dirname(taken), { recursive: true });
    writeFileSync(`${taken}.archived.json`, "somebody is about to use this name");
    expect(archived(file)).not.toBe(taken);
    expect(readFileSync(`${taken}.archived.json`, "utf8")).toBe("somebody is about to use this name");
  });

  it("refuses a session that another living process has open, and takes it when that one is gone", async () => {
    const { file } = newSession();
    const opener = spawn(process.execPath, [support("presence-opener.mjs"), file, "write"]);
    await once(opener.stdout, "data");
    const refused = archiveSession(file, { now: () => new Date(), home });
    expect(refused).toMatchObject({ kind: "in-use", by: [{ program: "opener", pid: opener.pid, self: false }] });
    expect(existsSync(file)).toBe(true);
    expect(existsSync(archiveRoot(home))).toBe(false);
    opener.kill("SIGKILL");
    await once(opener, "close");
    expect(archiveSession(file, { now: () => new Date(), home }).kind).toBe("archived");
  });

  it("refuses one that this process has open", () => {
    const { file } = newSession();
    const presence = announcePresence(file, { program: "test", mode: "write", now: () => new Date() });
    expect(archiveSession(file, { now: () => new Date(), home })).toMatchObject({
      kind: "in-use",
      by: [{ self: true }],
    });
    presence.leave();
  });

  it("says that a session is missing, also the second time", () => {
    const { file } = newSession();
    archived(file);
    expect(archiveSession(file, { now, home })).toEqual({ kind: "missing" });
    expect(archiveSession(join(folder, "never.jsonl"), { now, home })).toEqual({ kind: "missing" });
  });

  it.each([[""], ["--project--"]])("leaves the session where it is if a file is in the archive's place: %s", (name) => {
    const { file } = newSession();
    const blocked = join(archiveRoot(home), name);
    mkdirSync(dirname(blocked), { recursive: true });
    writeFileSync(blocked, "a file in the place of the folder");
    expect(archiveSession(file, { now, home }).kind).toBe("failed");
    expect(existsSync(file)).toBe(true);
  });

  it("does not follow an ID that points outside the folder of outputs", () => {
    const { file } = newSession();
    const outside = join(home, "precious");
    mkdirSync(outside);
    mkdirSync(join(home, "output"));
    const [header, ...rest] = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, [JSON.stringify({ ...JSON.parse(header as string), id: "../precious" }), ...rest].join("\n"));
    archived(file);
    expect(existsSync(outside)).toBe(true);
  });

  it("archives each session once when two do it at the same moment", () => {
    // The second one has already checked for the file when the first moves it away.
    const { file } = newSession();
    let path = "";
    const outcome = archiveSession(file, {
      home,
      now: () => {
        if (path === "") {
          path = "-";
          path = archived(file);
        }
        return now();
      },
    });
    expect(outcome).toEqual({ kind: "missing" });
    expect(listArchived({ home }).map((session) => session.path)).toEqual([path]);
    expect(readdirSync(dirname(path))).toHaveLength(2);
  });
});

describe("restoreSession", () => {
  it("puts a session beside one that has its name now", () => {
    const { file } = newSession("first");
    const path = archived(file);
    writeFileSync(file, "something new");
    const outcome = restoreSession(path, { home });
    expect(outcome).toMatchObject({ kind: "restored", path: file.replace(".jsonl", "-2.jsonl") });
    expect(readFileSync(file, "utf8")).toBe("something new");
    expect(readFileSync(file.replace(".jsonl", "-2.jsonl"), "utf8")).toContain("first");
  });

  it("returns to a folder that is not Bough's own, and creates it again if it is gone", () => {
    const elsewhere = join(tempFolder(), "mine");
    folder = elsewhere;
    mkdirSync(elsewhere);
    const { file } = newSession();
    const path = archived(file);
    expect(restoreSession(path, { home })).toMatchObject({ kind: "restored", path: file });
  });

  it("stays in the archive if a file is in the place of its folder", () => {
    const { file } = newSession();
    const path = archived(file);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file in the place of the folder");
    expect(restoreSession(path, { home }).kind).toBe("failed");
    expect(existsSync(path)).toBe(true);
  });

  it("tells the place from names where the record is lost", () => {
    const { file } = newSession();
    const path = archived(file);
    writeFileSync(`${path}.archived.json`, "{ damaged");
    expect(listArchived({ home })).toEqual([{ path, from: file, archivedAt: undefined }]);
    expect(restoreSession(path, { home })).toMatchObject({ kind: "restored", path: file });
  });

  it("says that an archived session is missing", () => {
    expect(restoreSession(join(archiveRoot(home), "no.jsonl"), { home })).toEqual({ kind: "missing" });
  });
});

describe("listArchived", () => {
  it("has the latest first, and nothing without an archive", () => {
    expect(listArchived({ home })).toEqual([]);
    const files = [newSession("a").file, newSession("b").file];
    for (const [day, file] of files.entries()) {
      archiveSession(file, { home, now: () => new Date(Date.UTC(2025, 0, day + 1)) });
    }
    expect(listArchived({ home }).map(({ from }) => from)).toEqual(files.toReversed());
  });

  it("skips what is not a session file, and broken links do not stop it", () => {
    const { file } = newSession();
    const path = archived(file);
    writeFileSync(join(archiveRoot(home), "note.txt"), "note");
    symlinkSync(join(home, "nowhere"), join(archiveRoot(home), "link"));
    expect(listArchived({ home }).map((session) => session.path)).toEqual([path]);
  });
});
