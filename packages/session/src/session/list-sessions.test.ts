import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { header, line } from "../../../../test/support/session-lines.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { listAllSessions, listSessions } from "./list-sessions.js";
import { findMostRecentSession } from "./most-recent.js";

/** A session named `id` whose last entry, and whose file, has this minute. */
function session(folder: string, id: string, minute: number): string {
  const time = `2026-01-15T12:${String(minute).padStart(2, "0")}:00.000Z`;
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, header({ id }) + line("a", null, { timestamp: time }));
  utimesSync(path, new Date(time), new Date(time));
  return path;
}

describe("the list of a folder", () => {
  it("is newest first by what is in the files", async () => {
    const folder = tempFolder();
    for (const [i, id] of ["old", "newest", "middle"].entries()) session(folder, id, [1, 59, 30][i] as number);
    // Touching the old file is not activity in its session.
    utimesSync(join(folder, "old.jsonl"), new Date(), new Date());
    expect((await listSessions(folder)).map(({ id }) => id)).toEqual(["newest", "middle", "old"]);
  });

  it("leaves out what is not a session, whatever it is", async () => {
    const folder = tempFolder();
    session(folder, "good", 1);
    writeFileSync(join(folder, "empty.jsonl"), "");
    writeFileSync(join(folder, "binary.jsonl"), Buffer.from([0, 255, 1, 254, 10, 0]));
    writeFileSync(join(folder, "notes.txt"), header({ id: "text" }));
    writeFileSync(join(folder, "good.jsonl.v2.bak"), header({ id: "backup" }));
    mkdirSync(join(folder, "folder.jsonl"));
    symlinkSync("loop.jsonl", join(folder, "loop.jsonl"));
    symlinkSync("/nowhere/at/all", join(folder, "dangling.jsonl"));
    expect((await listSessions(folder)).map(({ id }) => id)).toEqual(["good"]);
  });

  it("has damaged sessions in it, as far as they can be read", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "a.jsonl"), `${header({ id: "damaged" })}{"broken\n${line("a", "gone")}{"type":"me`);
    expect(await listSessions(folder)).toMatchObject([
      { id: "damaged", firstMessage: "a", messageCount: 1, exact: true },
    ]);
  });

  it("of no folder is empty", async () => {
    expect(await listSessions(join(tempFolder(), "none"))).toEqual([]);
  });

  it("that cannot be read fails instead of being empty", async () => {
    const folder = join(tempFolder(), "loop");
    symlinkSync(folder, folder);
    const failure = { name: "SessionError", code: "read-failed", data: { path: folder } };
    await expect(listSessions(folder)).rejects.toMatchObject(failure);
    expect(() => findMostRecentSession(folder)).toThrow(expect.objectContaining(failure));
  });

  it("reports its progress file by file", async () => {
    const folder = tempFolder();
    for (let i = 0; i < 3; i++) session(folder, `s${i}`, i);
    writeFileSync(join(folder, "bad.jsonl"), "bad");
    const told: unknown[] = [];
    const list = await listSessions(folder, (done, total, info) => told.push([done, total, info?.id]));
    expect(told.map((one) => (one as unknown[]).slice(0, 2))).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
    expect(told.flatMap((one) => (one as unknown[])[2] ?? []).sort()).toEqual(list.map(({ id }) => id).sort());
  });

  it("of 200 files lets other work run, and stops in the middle if aborted", async () => {
    const folder = tempFolder();
    for (let i = 0; i < 200; i++) session(folder, `s${i}`, i % 60);
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 0);
    expect((await listSessions(folder)).length).toBe(200);
    clearInterval(other);
    expect(turns).toBeGreaterThan(0);

    const stop = new AbortController();
    let seen = 0;
    const stopped = listSessions(
      folder,
      (done) => {
        seen = done;
        if (done === 50) stop.abort();
      },
      { signal: stop.signal },
    );
    await expect(stopped).rejects.toMatchObject({ name: "SessionError", code: "aborted" });
    expect(seen).toBe(50);
  });

  it("does not start when it was stopped before", async () => {
    const folder = tempFolder();
    session(folder, "a", 1);
    const onProgress = vi.fn();
    const stopped = listSessions(folder, onProgress, { signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    expect(onProgress).not.toHaveBeenCalled();
  });

  it("leaves out a file that is deleted while it is made", async () => {
    const folder = tempFolder();
    for (let i = 0; i < 4; i++) session(folder, `s${i}`, i);
    const list = await listSessions(folder, (done) => {
      if (done === 1) for (let i = 0; i < 3; i++) rmSync(join(folder, `s${i}.jsonl`));
    });
    expect(list.map(({ id }) => id)).toEqual(["s3"]);
  });
});

it("the list of all folders is one list, newest first", async () => {
  const home = tempFolder();
  vi.stubEnv("BOUGH_HOME", home);
  try {
    expect(await listAllSessions()).toEqual([]);
    for (const [folder, id, minute] of [
      ["--a--", "a1", 10],
      ["--b--", "b1", 20],
      ["--a--", "a2", 30],
    ] as const) {
      mkdirSync(join(home, "sessions", folder), { recursive: true });
      session(join(home, "sessions", folder), id, minute);
    }
    writeFileSync(join(home, "sessions", "stray.jsonl"), header({ id: "stray" }));
    const totals = new Set<number>();
    const list = await listAllSessions((_, total) => totals.add(total));
    expect([list.map(({ id }) => id), [...totals]]).toEqual([["a2", "b1", "a1"], [3]]);
  } finally {
    vi.unstubAllEnvs();
  }
});

it("the list of all folders fails if one cannot be read, unless that is to be told", async () => {
  const home = tempFolder();
  vi.stubEnv("BOUGH_HOME", home);
  try {
    mkdirSync(join(home, "sessions", "--a--"), { recursive: true });
    session(join(home, "sessions", "--a--"), "a1", 10);
    const loop = join(home, "sessions", "--b--");
    symlinkSync(loop, loop);
    await expect(listAllSessions()).rejects.toMatchObject({ code: "read-failed", data: { path: loop } });
    const told: unknown[] = [];
    const list = await listAllSessions(undefined, { onUnreadable: ({ code }, folder) => told.push([code, folder]) });
    expect([list.map(({ id }) => id), told]).toEqual([["a1"], [["read-failed", loop]]]);
  } finally {
    vi.unstubAllEnvs();
  }
});

describe("the most recent session", () => {
  it("is the one whose file was written last", () => {
    const folder = tempFolder();
    session(folder, "old", 1);
    const recent = session(folder, "recent", 59);
    session(folder, "middle", 30);
    expect(findMostRecentSession(folder)).toBe(recent);
  });

  it("is not a file without a readable header, nor what is not a file", () => {
    const folder = tempFolder();
    const good = session(folder, "good", 1);
    writeFileSync(join(folder, "empty.jsonl"), "");
    writeFileSync(join(folder, "broken.jsonl"), '{"type":"sess');
    symlinkSync("loop.jsonl", join(folder, "loop.jsonl"));
    mkdirSync(join(folder, "folder.jsonl"));
    expect(findMostRecentSession(folder)).toBe(good);
  });

  it("is none in an empty folder, and in none", () => {
    expect([findMostRecentSession(tempFolder()), findMostRecentSession("/nowhere/at/all")]).toEqual([null, null]);
  });
});
