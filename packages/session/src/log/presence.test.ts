import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announcePresence, type Presence, readPresence } from "./presence.js";
import { processIdentity } from "./process-identity.js";

const OPENER = fileURLToPath(new URL("../../../../test/support/presence-opener.mjs", import.meta.url));
const NOON = new Date("2031-05-06T12:00:00.000Z");
const MINUTE = 60_000;

let directory: string;
let session: string;
let folder: string;
const children: ChildProcessWithoutNullStreams[] = [];
const presences: Presence[] = [];

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "bough-presence-")));
  session = join(directory, "one.jsonl");
  folder = join(directory, ".presence");
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  for (const presence of presences.splice(0)) presence.leave();
  for (const child of children.splice(0)) child.kill("SIGKILL");
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true, force: true });
});

const at = (date: Date) => () => date;
const later = (ms: number) => at(new Date(NOON.getTime() + ms));
const read = (now = at(NOON)) => readPresence(session, { now });

function announce(options: { mode?: "write" | "read"; note?: string; now?: () => Date } = {}): Presence {
  const presence = announcePresence(session, { program: "bough", mode: "write", now: at(NOON), ...options });
  presences.push(presence);
  return presence;
}

/** This process's own record as it appears in the list. */
function own(file: string | undefined, change: object = {}): object {
  const common = { program: "bough", mode: "write", startedAt: NOON.toISOString(), sessionFile: "one.jsonl" };
  return { file, ...processIdentity(), host: hostname(), ...common, self: true, ...change };
}

/** Writes a record as another process would have, last touched at noon. */
function plant(change: object = {}, name = `one.jsonl.4242.${"0".repeat(12)}.json`): string {
  const { file: _file, self: _self, ...record } = own(undefined) as Record<string, unknown>;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ ...record, ...change }));
  utimesSync(file, NOON, NOON);
  return file;
}

interface Opener {
  readonly child: ChildProcessWithoutNullStreams;
  readonly hello: { readonly pid: number; readonly file: string; readonly others: readonly unknown[] };
}

async function open(mode: "write" | "read" = "write"): Promise<Opener> {
  const child = spawn(process.execPath, [OPENER, session, mode]);
  children.push(child);
  child.stderr.pipe(process.stderr);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { child, hello: JSON.parse(line as string) };
}

describe("announcing", () => {
  it("lists the announcement as this process's own, with everything it said", () => {
    const presence = announce({ note: "on the train" });
    expect(presence.problem).toBeUndefined();
    expect(read()).toEqual({ present: [own(presence.file, { note: "on the train" })], stale: [], unreadable: [] });
  });

  it("leaves the session's own folder untouched but for one private folder with one private file", () => {
    const { file } = announce();
    expect(readdirSync(directory)).toEqual([".presence"]);
    expect(readdirSync(folder)).toEqual([basename(file as string)]);
    expect(basename(file as string)).toMatch(new RegExp(`^one\\.jsonl\\.${process.pid}\\.[0-9a-f]{12}\\.json$`));
  });

  it.skipIf(process.platform === "win32")("keeps folder and file to the user, also after an update", () => {
    const presence = announce();
    presence.update({ mode: "read" });
    const modes = [folder, presence.file as string].map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes).toEqual(["700", "600"]);
  });

  it("changes mode and note, and an empty note counts as none", () => {
    const presence = announce({ note: "first" });
    presence.update({ mode: "read" });
    expect(read().present).toEqual([own(presence.file, { mode: "read", note: "first" })]);
    presence.update({ note: "second" });
    expect(read().present).toEqual([own(presence.file, { mode: "read", note: "second" })]);
    presence.update({ note: "" });
    expect(read().present).toEqual([own(presence.file, { mode: "read" })]);
  });

  it("keeps two openers in one process apart and shows each the other", () => {
    const first = announce();
    const second = announce({ mode: "read", now: later(MINUTE) });
    const details = { mode: "read", startedAt: later(MINUTE)().toISOString() };
    expect(first.others()).toEqual([own(second.file, details)]);
    expect(second.others()).toEqual([own(first.file)]);
    expect(read().present).toEqual([own(first.file), own(second.file, details)]);
  });

  it("keeps sessions in one folder apart, also when one name starts with the other", () => {
    const presence = announce();
    const longer = announcePresence(`${session}.bak`, { program: "bough", mode: "read", now: at(NOON) });
    presences.push(longer);
    expect(read()).toEqual({ present: [own(presence.file)], stale: [], unreadable: [] });
    expect(longer.others()).toEqual([]);
  });

  it("meets the same openers through a symbolic link to the session or to its folder", () => {
    writeFileSync(session, "");
    const elsewhere = mkdtempSync(join(tmpdir(), "bough-presence-link-"));
    try {
      symlinkSync(session, join(elsewhere, "linked.jsonl"));
      symlinkSync(directory, join(elsewhere, "linked"));
      const presence = announce();
      for (const path of [join(elsewhere, "linked.jsonl"), join(elsewhere, "linked", "one.jsonl")]) {
        expect(readPresence(path, { now: at(NOON) }).present).toEqual([own(presence.file)]);
      }
      rmSync(session);
      const early = announcePresence(join(elsewhere, "linked", "one.jsonl"), {
        program: "p",
        mode: "read",
        now: at(NOON),
      });
      presences.push(early);
      expect(early.others()).toEqual([own(presence.file)]);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it("knows its own announcement although the host was renamed since", () => {
    const presence = announce();
    const record = own(presence.file);
    vi.spyOn(os, "hostname").mockReturnValue("renamed");
    syncBuiltinESMExports();
    expect(read().present).toEqual([record]);
  });

  it("adds one exit listener, however many sessions are opened", () => {
    announce();
    const before = process.listenerCount("exit");
    for (let count = 0; count < 50; count++) announce();
    expect(process.listenerCount("exit")).toBe(before);
    expect(read().present).toHaveLength(51);
  });
});

describe("leaving", () => {
  it("removes the file, and leaving again or using the presence afterwards does nothing", () => {
    const presence = announce();
    presence.leave();
    presence.leave();
    presence.update({ mode: "read" });
    presence.touch();
    presence.keepAlive(1)();
    expect({ file: presence.file, problem: presence.problem }).toEqual({ file: undefined, problem: undefined });
    expect(readdirSync(folder)).toEqual([]);
    expect(read()).toEqual({ present: [], stale: [], unreadable: [] });
  });

  it("is fine if the file was removed before", () => {
    const presence = announce();
    rmSync(presence.file as string);
    presence.leave();
    expect(presence.problem).toBeUndefined();
  });
});

describe("a folder that cannot be written", () => {
  it("is a problem of presence and not of opening the session: no folder", () => {
    session = join(directory, "missing", "one.jsonl");
    const presence = announce();
    expect(presence.file).toBeUndefined();
    expect(presence.problem).toContain("ENOENT");
    expect(presence.others()).toEqual([]);
    presence.leave();
    expect(existsSync(join(directory, "missing"))).toBe(false);
  });

  it("is a problem of presence and not of opening the session: a file in the place of the folder", () => {
    writeFileSync(folder, "in the way");
    const presence = announce();
    expect(presence.file).toBeUndefined();
    expect(presence.problem).toContain("EEXIST");
    expect(read()).toEqual({ present: [], stale: [], unreadable: [folder] });
  });

  it.skipIf(process.platform === "win32")("is a problem of presence and not of opening the session: read-only", () => {
    chmodSync(directory, 0o555);
    const presence = asOrdinaryUser(() => announce());
    expect(presence.file).toBeUndefined();
    expect(presence.problem).toContain("EACCES");
  });

  it("is written later, when a touch finds the way free", () => {
    writeFileSync(folder, "in the way");
    const presence = announce();
    rmSync(folder);
    presence.touch();
    expect(presence.problem).toBeUndefined();
    expect(read().present).toEqual([own(presence.file)]);
  });

  it.skipIf(process.platform === "win32")("says so when a dead opener's file cannot be removed", () => {
    const file = plant({ pid: deadPid(), start: undefined });
    chmodSync(directory, 0o755);
    chmodSync(folder, 0o555);
    const { present, stale } = asOrdinaryUser(() => read());
    chmodSync(folder, 0o700);
    expect(present).toEqual([]);
    expect(stale).toEqual([
      expect.objectContaining({
        file,
        reason: "dead",
        cleanup: { kind: "failed", cause: expect.stringContaining("EACCES") },
      }),
    ]);
    expect(existsSync(file)).toBe(true);
  });
});

describe("another process", () => {
  it("sees this one and is seen by it", async () => {
    const presence = announce();
    const { hello } = await open("read");
    const present = read().present;
    expect(hello.others).toEqual([own(presence.file, { self: false })]);
    expect(present.find((record) => !record.self)).toEqual({
      ...processIdentity(hello.pid),
      file: hello.file,
      host: hostname(),
      program: "opener",
      mode: "read",
      startedAt: expect.any(String),
      sessionFile: "one.jsonl",
      self: false,
    });
    expect(present).toHaveLength(2);
  });

  it("is stale after kill -9, and its file is gone after one look", async () => {
    const { child, hello } = await open();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(readdirSync(folder)).toEqual([basename(hello.file)]);
    const { present, stale } = read();
    expect(present).toEqual([]);
    expect(stale).toEqual([
      expect.objectContaining({ pid: hello.pid, file: hello.file, reason: "dead", cleanup: { kind: "removed" } }),
    ]);
    expect(readdirSync(folder)).toEqual([]);
    expect(read()).toEqual({ present: [], stale: [], unreadable: [] });
  });

  it("removes its file when it exits, by a call or by having nothing left to do", async () => {
    for (const end of [
      (stdin: NodeJS.WritableStream) => stdin.write("exit\n"),
      (stdin: NodeJS.WritableStream) => stdin.end(),
    ]) {
      const { child, hello } = await open();
      expect(existsSync(hello.file)).toBe(true);
      end(child.stdin);
      expect(await once(child, "exit")).toEqual([0, null]);
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it("is no longer present after it left, although it still runs", async () => {
    const { child } = await open();
    const lines = createInterface({ input: child.stdout });
    child.stdin.write("leave\nothers\n");
    await once(lines, "line");
    expect(read()).toEqual({ present: [], stale: [], unreadable: [] });
  });

  it.runIf(process.platform === "linux")("is stale when its pid was given to a later process", () => {
    const [boot] = processIdentity().start?.split(":") ?? [];
    const file = plant({ start: `${boot}:1` });
    const { self: _self, ...record } = own(file, { start: `${boot}:1` }) as Record<string, unknown>;
    expect(read()).toEqual({
      present: [],
      stale: [{ ...record, reason: "dead", cleanup: { kind: "removed" } }],
      unreadable: [],
    });
    expect(existsSync(file)).toBe(false);
  });
});

describe("a process that cannot be checked from here", () => {
  it("is present with its age while it gives signs of life, then silent, then forgotten", () => {
    const file = plant({ host: "far-away", pid: deadPid() });
    expect(read(later(-MINUTE)).present).toMatchObject([{ host: "far-away", self: false, unverifiable: { ageMs: 0 } }]);
    expect(read(later(3 * MINUTE)).present).toMatchObject([{ self: false, unverifiable: { ageMs: 3 * MINUTE } }]);
    const { present, stale } = read(later(60 * MINUTE));
    expect(present).toEqual([]);
    expect(stale).toMatchObject([{ host: "far-away", reason: "silent", cleanup: { kind: "kept" } }]);
    expect(existsSync(file)).toBe(true);
    const week = 7 * 24 * 60 * MINUTE;
    expect(read(later(week + 1)).stale).toMatchObject([{ reason: "silent", cleanup: { kind: "removed" } }]);
    expect(existsSync(file)).toBe(false);
  });

  it("is silent after the time the caller allows", () => {
    plant({ host: "far-away" });
    const list = readPresence(session, { now: later(3 * MINUTE), silenceMs: 2 * MINUTE });
    expect(list).toMatchObject({ present: [], stale: [{ reason: "silent" }], unreadable: [] });
  });

  it.runIf(process.platform === "linux")("may also be one on this host that counts its pids apart", () => {
    const file = plant({ space: "pid:[1]", pid: deadPid() });
    expect(read(later(MINUTE)).present).toMatchObject([{ file, self: false, unverifiable: { ageMs: MINUTE } }]);
  });

  it("shows that it is alive by a touch, which also restores a removed file", () => {
    let time = NOON;
    const presence = announce({ now: () => time });
    const file = presence.file as string;
    expect(statSync(file).mtimeMs).toBe(NOON.getTime());
    time = later(MINUTE)();
    presence.touch();
    expect(statSync(file).mtimeMs).toBe(time.getTime());
    rmSync(file);
    presence.touch();
    expect(read().present).toEqual([own(file)]);
  });

  it("shows that it is alive by itself if asked to, until stopped", () => {
    vi.useFakeTimers({ now: NOON, toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      const presence = announce({ now: () => new Date() });
      const modified = () => statSync(presence.file as string).mtimeMs - NOON.getTime();
      const stop = presence.keepAlive(MINUTE);
      vi.advanceTimersByTime(3 * MINUTE);
      expect(modified()).toBe(3 * MINUTE);
      stop();
      stop();
      vi.advanceTimersByTime(3 * MINUTE);
      expect(modified()).toBe(3 * MINUTE);
      presence.keepAlive(MINUTE);
      presence.leave();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("garbage in the folder", () => {
  it("is named, left alone and never thrown", () => {
    const name = (number: number) => `one.jsonl.7.${String(number).padStart(12, "0")}.json`;
    const good = plant({ extra: "a later version's field" }, name(0));
    const texts = [
      "",
      "{",
      "null",
      "[]",
      '"text"',
      "\u0000\u0001",
      "[".repeat(30_000),
      '{"__proto__":{"pid":1,"host":"h","program":"p","mode":"read","startedAt":"2031-01-01","sessionFile":"one.jsonl"}}',
    ];
    const bad = texts.map((text, index) => {
      const file = join(folder, name(index + 1));
      writeFileSync(file, text);
      return file;
    });
    const wrong: object[] = [
      ...[0, -1, 1.5, 2 ** 31, "1", null].map((pid) => ({ pid })),
      { host: 1 },
      { program: undefined },
      { mode: "both" },
      { startedAt: "yesterday" },
      { sessionFile: "two.jsonl" },
      { start: 1 },
      { space: {} },
      { note: ["note"] },
      { note: "n".repeat(64 * 1024) },
    ];
    wrong.forEach((change, index) => {
      bad.push(plant(change, name(100 + index)));
    });
    mkdirSync(join(folder, name(200)));
    symlinkSync(good, join(folder, name(201)));
    writeFileSync(join(folder, "notes.txt"), "not a presence file");
    bad.push(join(folder, name(200)), join(folder, name(201)), join(folder, "notes.txt"));
    const before = readdirSync(folder);

    expect(read()).toEqual({ present: [own(good)], stale: [], unreadable: bad.sort() });
    expect(readdirSync(folder)).toEqual(before);
    expect(Object.hasOwn(Object.prototype, "pid")).toBe(false);
  });

  it.skipIf(process.platform === "win32")("may be a named pipe, which is not waited for", () => {
    mkdirSync(folder);
    const pipe = join(folder, `one.jsonl.7.${"0".repeat(12)}.json`);
    execFileSync("mkfifo", [pipe]);
    expect(read()).toEqual({ present: [], stale: [], unreadable: [pipe] });
  });

  it("may be a file that was never finished: it is ignored, and removed once it is old", () => {
    const file = plant({}, `one.jsonl.7.${"0".repeat(12)}.json.tmp`);
    expect(read()).toEqual({ present: [], stale: [], unreadable: [] });
    expect(existsSync(file)).toBe(true);
    expect(read(later(8 * 24 * 60 * MINUTE))).toEqual({ present: [], stale: [], unreadable: [] });
    expect(existsSync(file)).toBe(false);
  });

  it("is not there if the session was never opened", () => {
    expect(read()).toEqual({ present: [], stale: [], unreadable: [] });
    expect(readdirSync(directory)).toEqual([]);
  });
});

/** A pid that was just released. */
function deadPid(): number {
  return Number(execFileSync(process.execPath, ["-e", "console.log(process.pid)"], { encoding: "utf8" }));
}

/** The superuser may write anywhere, so as the superuser the action runs with another user's rights. */
function asOrdinaryUser<Result>(action: () => Result): Result {
  if (process.geteuid?.() !== 0) return action();
  process.seteuid?.(65534);
  try {
    return action();
  } finally {
    process.seteuid?.(0);
  }
}
