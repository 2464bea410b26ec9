import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { layOutAgents } from "../../../../test/support/agents-home.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import type { ForeignSession } from "./contract.js";
import { findSessions, findWith } from "./find-sessions.js";
import { KnownFiles } from "./known-files.js";

/** Files of a test have just been written: for a list that runs later, their times are certain. */
const later = () => Date.now() + 60_000;

/** Counts the files that had to be read. */
class CountingFiles extends KnownFiles {
  readonly read: string[] = [];

  override of<Facts>(...[agent, path, read, beside]: Parameters<typeof KnownFiles.prototype.of<Facts>>): Facts {
    return super.of(agent, path, () => this.#counted(path, read), beside);
  }

  override later<Facts>(...[agent, path, read, beside]: Parameters<typeof KnownFiles.prototype.later<Facts>>) {
    return super.later(agent, path, () => this.#counted(path, read), beside);
  }

  #counted<Result>(path: string, read: () => Result): Result {
    this.read.push(path);
    return read();
  }
}

interface Listed {
  readonly sessions: readonly ForeignSession[];
  readonly read: readonly string[];
}

async function listOf(home: string, cache: string, now = later): Promise<Listed> {
  const known = new CountingFiles(cache, now);
  const sessions: ForeignSession[] = [];
  for await (const session of findWith({ home }, { known })) sessions.push(session);
  return { sessions: sessions.sort((a, b) => b.modified.getTime() - a.modified.getTime()), read: known.read };
}

function agents(opencode: "files" | "database" = "files") {
  const home = tempFolder();
  const placed = layOutAgents({ home, opencode });
  return { home, placed, cache: join(tempFolder(), "cache", "files.jsonl") };
}

describe("what is known of files", () => {
  it.each(["files", "database"] as const)(
    "gives the same list as reading them, and reads none again (%s)",
    async (opencode) => {
      const { home, cache } = agents(opencode);
      const expected = await findSessions({ home });
      expect(expected.length).toBeGreaterThan(6);
      const first = await listOf(home, cache);
      expect(first.sessions).toEqual(expected);
      expect(first.read.length).toBeGreaterThan(5);
      expect(await listOf(home, cache)).toEqual({ sessions: expected, read: [] });
      expect(await findSessions({ home, cache })).toEqual(expected);
    },
  );

  it("is in a private file, in a private folder", async () => {
    const { home, cache } = agents();
    await findSessions({ home, cache });
    expect([statSync(cache).mode & 0o777, statSync(dirname(cache)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(cache))).toEqual(["files.jsonl"]);
  });

  it("is not kept without a file to keep it in", async () => {
    const { home, cache } = agents();
    await findSessions({ home });
    expect(() => statSync(dirname(cache))).toThrow("ENOENT");
  });

  const changes: [string, (path: string) => void][] = [
    ["grew", (path) => appendFileSync(path, '{"type":"custom-title","customTitle":"Renamed"}\n')],
    ["was cut", (path) => truncateSync(path, statSync(path).size - 100)],
    [
      "was rewritten with the same size and time",
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, readFileSync(path, "utf8").replaceAll("a", "b"));
        utimesSync(path, atime, mtime);
      },
    ],
    [
      "was replaced by another with the same size and time",
      (path) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(`${path}.new`, readFileSync(path, "utf8").replaceAll("e", "i"));
        utimesSync(`${path}.new`, atime, mtime);
        renameSync(`${path}.new`, path);
      },
    ],
  ];
  it.each(changes)("is dropped for a file that %s, and for no other", async (_how, change) => {
    const { home, placed, cache } = agents();
    await listOf(home, cache);
    for (const path of [placed.claude, placed.codex, placed.gemini, placed.pi]) {
      change(path);
      expect(await listOf(home, cache)).toEqual({ sessions: await findSessions({ home }), read: [path] });
      expect((await listOf(home, cache)).read).toEqual([]);
    }
  });

  it("is read again if the file changed so shortly before that its time may be too coarse", async () => {
    const { home, placed, cache } = agents();
    const { ctimeMs } = statSync(placed.pi);
    await listOf(home, cache, () => ctimeMs + 1_000);
    expect((await listOf(home, cache, () => ctimeMs + 60_000)).read).toContain(placed.pi);
    expect((await listOf(home, cache, () => ctimeMs + 60_000)).read).toEqual([]);
  });

  it("is dropped once the file is gone, and only for the agents that were listed", async () => {
    const { home, placed, cache } = agents();
    await listOf(home, cache);
    rmSync(placed.codex);
    for await (const _ of findWith({ home }, { agents: ["pi"], known: new KnownFiles(cache, later) }));
    expect(readFileSync(cache, "utf8")).toContain(placed.codex);
    await listOf(home, cache);
    expect(readFileSync(cache, "utf8")).not.toContain(placed.codex);
    expect(readFileSync(cache, "utf8")).toContain(placed.claude);
  });

  it("never changes a list, whatever the file it is in looks like", async () => {
    const { home, cache } = agents();
    const expected = await findSessions({ home });
    await listOf(home, cache);
    const whole = readFileSync(cache);
    const random = randomNumbers(7);
    const damages: (() => Buffer)[] = [
      () => Buffer.alloc(0),
      () => Buffer.from("{{{\n\u0000"),
      () => whole.subarray(0, random(whole.length)),
      () => Buffer.concat([whole, whole]),
      () => Buffer.from(whole.toString("latin1").replaceAll("rollout", "r0ll0ut"), "latin1"),
      () => flipped(whole, random),
    ];
    for (let round = 0; round < 60; round++) {
      writeFileSync(cache, (damages[round % damages.length] as () => Buffer)());
      expect((await listOf(home, cache)).sessions).toEqual(expected);
      // It is whole again.
      expect(await listOf(home, cache)).toEqual({ sessions: expected, read: [] });
    }
  });

  it("never changes a list of damaged transcripts either", async () => {
    const { home, placed, cache } = agents();
    const paths = [placed.claude, placed.claudeSubagent, placed.codex, placed.gemini, placed.pi];
    const wholes = paths.map((path) => readFileSync(path));
    const random = randomNumbers(11);
    for (let round = 0; round < 40; round++) {
      for (const [i, path] of paths.entries()) {
        const whole = wholes[i] as Buffer;
        const kind = random(5);
        if (kind === 0) writeFileSync(path, flipped(whole, random));
        else if (kind === 1) writeFileSync(path, whole.subarray(0, random(whole.length)));
        else if (kind === 2) writeFileSync(path, whole);
        else if (kind === 3) writeFileSync(path, Buffer.concat([Buffer.from("\n\n{"), whole]));
      }
      const expected = await findSessions({ home });
      expect((await listOf(home, cache)).sessions).toEqual(expected);
      expect(await listOf(home, cache)).toEqual({ sessions: expected, read: [] });
    }
  });

  it("is kept by several lists at once", async () => {
    const { home, placed, cache } = agents();
    const one = new KnownFiles(cache, later);
    const other = new KnownFiles(cache, later);
    for await (const _ of findWith({ home }, { agents: ["pi"], known: one }));
    for await (const _ of findWith({ home }, { agents: ["codex"], known: other }));
    const { read } = await listOf(home, cache);
    expect(read).not.toContain(placed.pi);
    expect(read).not.toContain(placed.codex);
    const all = await Promise.all(Array.from({ length: 5 }, () => listOf(home, cache)));
    for (const { sessions } of all) expect(sessions).toEqual(await findSessions({ home }));
    expect((await listOf(home, cache)).read).toEqual([]);
  });

  it("is done without where it cannot be written", async () => {
    const { home, cache } = agents();
    const expected = await findSessions({ home });
    mkdirSync(cache, { recursive: true });
    expect(await findSessions({ home, cache })).toEqual(expected);
    rmSync(cache, { recursive: true });
    chmodSync(dirname(cache), 0o500);
    expect(await findSessions({ home, cache })).toEqual(expected);
    chmodSync(dirname(cache), 0o700);
  });
});

function flipped(whole: Buffer, random: (below: number) => number): Buffer {
  const bytes = Buffer.from(whole);
  for (let i = 0; i < 20; i++) bytes[random(bytes.length)] = random(256);
  return bytes;
}

/** The same numbers in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
