/** Damaged sessions, changes during an answer, huge and hostile content. */
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { assistant, user } from "../../../../test/support/messages.js";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { answerOpen, answerSearch, answerSessions, answerTried, History, MOST_ANSWER } from "./index.js";

const options = { now: () => new Date("2026-11-17T00:00:00Z"), timeouts: { refresh: 60_000, search: 60_000 } };
let home: string;
let dir: string;

beforeEach(() => {
  home = tempFolder();
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  dir = join(home, ".bough", "sessions", "--app--");
  mkdirSync(dir, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A history that searches for sessions on every question. */
function open(): History {
  return new History({ home: join(home, ".bough"), agents: { home, environment: {} }, every: 0, clock: () => 0 });
}

function session(...prompts: readonly string[]): { readonly id: string; readonly file: string } {
  const made = SessionManager.create("/app", dir);
  for (const prompt of prompts) {
    made.appendMessage(user(prompt));
    made.appendMessage(assistant("I see."));
  }
  made.close();
  return { id: made.getSessionId(), file: made.getSessionFile() as string };
}

const bytes = (text: string) => Buffer.byteLength(text);

describe("damage", () => {
  test("a session that contains garbage and a torn end is read as far as possible", async () => {
    const { file } = session("Look for the walrus", "And the narwhal");
    appendFileSync(
      file,
      'not json\n{"type":"message"}\n\0\0\0\n{"type":"message","id":"aaaaaaaa1111","parentId":"nowhere","mess',
    );
    writeFileSync(join(dir, "2026-01-01T00-00-00-000Z_empty.jsonl"), "");
    writeFileSync(join(dir, "2026-01-01T00-00-00-000Z_noise.jsonl"), Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x7b]));
    const history = open();
    const { text } = await answerSearch(history, { words: "narwhal" }, options);
    expect(text).toContain("And the narwhal");
    expect((await answerTried(history, { words: "walrus" }, options)).found).toBe(1);
  });

  test("an index that is truncated, overwritten with noise or removed is rebuilt", async () => {
    session("Look for the walrus");
    const cache = join(home, ".bough", "cache", "history");
    await open().refresh();
    const [name = ""] = readdirSync(cache);
    const file = join(cache, name);
    expect([statSync(cache).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    const damages = [
      () => truncateSync(file, 20),
      () => writeFileSync(file, "BOUGHHIX"),
      () => writeFileSync(file, Buffer.concat([Buffer.alloc(50, 0xff), Buffer.from("BOUGHHIX")])),
      () => rmSync(file),
    ];
    for (const damage of damages) {
      damage();
      expect((await answerSearch(open(), { words: "walrus" }, options)).found).toBe(1);
    }
  });

  test("an index that disappears under a running server fails one answer, not the server", async () => {
    const { id } = session("Look for the walrus");
    const history = open();
    await history.refresh();
    rmSync(join(home, ".bough", "cache"), { recursive: true });
    expect((await answerSearch(history, { words: "walrus" }, options)).found).toBe(0);
    await expect(answerOpen(history, { address: id }, options)).rejects.toThrow();
    expect((await answerTried(history, { words: "walrus" }, options)).found).toBe(1);
  });
});

describe("changes", () => {
  test("the next answer reflects what was appended, added and deleted", async () => {
    const { file } = session("Look for the walrus");
    const history = open();
    expect((await answerSearch(history, { words: "narwhal" }, options)).found).toBe(0);
    const again = SessionManager.open(file);
    again.appendMessage(user("And the narwhal"));
    again.close();
    expect((await answerSearch(history, { words: "narwhal" }, options)).found).toBe(1);
    session("A second narwhal");
    expect((await answerSearch(history, { words: "narwhal" }, options)).found).toBe(2);
    rmSync(file);
    expect((await answerSearch(history, { words: "narwhal" }, options)).found).toBe(1);
    expect(readdirSync(join(home, ".bough", "cache", "history"))).toHaveLength(1);
  });

  test("a file of the same size and time whose last bytes changed is read again", async () => {
    const { file } = session("Look for the walrus");
    await open().refresh();
    const { atime, mtime, size } = statSync(file);
    const { readFileSync, utimesSync } = await import("node:fs");
    writeFileSync(file, readFileSync(file, "utf8").replace("I see.", "A yak."));
    utimesSync(file, atime, mtime);
    expect(statSync(file).size).toBe(size);
    expect((await answerSearch(open(), { words: "yak" }, options)).found).toBe(1);
  });

  test("sessions that are written while they are indexed do not stop an answer", async () => {
    const { file } = session("Look for the walrus");
    const history = open();
    const running = SessionManager.open(file);
    const writes = (async () => {
      for (let i = 0; i < 50; i++) {
        running.appendMessage(user(`Note ${i} about the walrus`));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let i = 0; i < 5; i++) {
      expect((await answerSearch(history, { words: "walrus" }, options)).found).toBeGreaterThan(0);
    }
    await writes;
    running.close();
    expect((await answerSearch(history, { words: '"note 49"' }, options)).found).toBe(1);
  });
});

describe("content", () => {
  test("every answer fits in 4 KB, whatever is in it", async () => {
    const wide = "漢字かな交じり文の🦭 ".repeat(400);
    const { id } = session(...Array.from({ length: 40 }, (_, n) => `walrus ${n} ${wide}`));
    const history = open();
    const answers = [
      await answerSearch(history, { words: "walrus" }, options),
      await answerTried(history, { words: "walrus" }, options),
      await answerOpen(history, { address: id }, options),
      await answerSessions(history, {}, options),
      await answerTried(history, { words: "x".repeat(5_000), error: wide, files: [wide] }, options),
      await answerSearch(history, { words: `"${wide}"` }, options),
    ];
    for (const { text } of answers) expect(bytes(text)).toBeLessThanOrEqual(MOST_ANSWER);
    expect(answers.map(({ text }) => text).join("")).not.toContain("\uFFFD");
  });

  test("pages are in order, without gaps and without repeats", async () => {
    session(...Array.from({ length: 45 }, (_, n) => `walrus number${n}`));
    const history = open();
    for (const ask of [answerSearch, answerTried]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await ask(history, { words: "walrus", cursor }, options);
        seen.push(...[...page.text.matchAll(/(?:asked: |^ {2})walrus (number\d+)/gm)].map(([, name]) => name ?? ""));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => `number${44 - n}`));
    }
  });

  test("a huge entry is found at both ends and read in parts", async () => {
    const { id } = session(`walrus ${"filler text ".repeat(500_000)} narwhal`);
    const history = open();
    expect((await answerSearch(history, { words: "narwhal" }, options)).found).toBe(1);
    const { text } = await answerSearch(history, { words: "walrus" }, options);
    const [address = ""] = /\S+#\w+/.exec(text) ?? [];
    expect(address.startsWith(`${id}#`)).toBe(true);
    const first = await answerOpen(history, { address }, options);
    expect(first.text).toContain("walrus filler text");
    const second = await answerOpen(history, { address, cursor: first.cursor }, options);
    expect(second.text).toContain("from character");
    expect(bytes(second.text)).toBeLessThanOrEqual(MOST_ANSWER);
  });

  test("escape sequences and control characters are removed", async () => {
    const { id } = session("walrus \x1b[31mred\x1b[0m \x1b]0;title\x07 \u202edetrever\u0000 bell\x07");
    const history = open();
    const texts = [
      await answerSearch(history, { words: "walrus" }, options),
      await answerTried(history, { words: "walrus" }, options),
      await answerOpen(history, { address: id }, options),
      await answerSessions(history, {}, options),
    ].map(({ text }) => text);
    expect(texts.join("")).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f\u202e]/);
  });

  test("secrets are masked in every answer, even where one would be cut", async () => {
    const key = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"}`;
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${`${"MIIEowIBAAKCAQEA7bq98sFkz1Xw".repeat(2)}\n`.repeat(40)}-----END RSA PRIVATE KEY-----`;
    vi.stubEnv("WALRUS_API_KEY", "Zk9-walrus-Value-4471");
    const texts = [1450, 1480, 1495].map((length) => `${"walrus ".repeat(Math.floor(length / 7))}token ${key} after`);
    const ids = [...texts, `narwhal ${pem} after`, "my key is Zk9-walrus-Value-4471"].map(
      (prompt) => session(prompt).id,
    );
    const history = open();
    const answers: string[] = [];
    const collect = async (ask: (cursor?: string) => Promise<{ readonly text: string; readonly cursor?: string }>) => {
      let cursor: string | undefined;
      do {
        const page = await ask(cursor);
        answers.push(page.text);
        cursor = page.cursor;
      } while (cursor !== undefined);
    };
    for (const words of ["walrus", "token", "narwhal", "after", "key"]) {
      await collect((cursor) => answerSearch(history, { words, cursor }, options));
      await collect((cursor) => answerTried(history, { words, cursor }, options));
    }
    for (const id of ids) {
      const rows = history.rowsOf(history.sessions.find((known) => known.id === id) as never);
      for (const row of rows)
        await collect((cursor) => answerOpen(history, { address: `${id}#${row.id}`, cursor }, options));
    }
    await collect((cursor) => answerSessions(history, { cursor }, options));
    const all = answers.join("\n");
    for (const part of [key.slice(4, 20), "MIIEowIBAAKC", "sFkz1Xw", "Value-4471"])
      expect([part, all.includes(part)]).toEqual([part, false]);
    expect(all).toContain("••••");
  });
});

describe("questions", () => {
  test.each([
    "../../etc/passwd",
    "/etc/passwd#root",
    "..%2f..%2fauth.json",
    "nothing#aaaa",
    "#",
    "",
    "__proto__#constructor",
    "a".repeat(100_000),
  ])("an invalid address is refused: %#", async (address) => {
    session("Look for the walrus");
    await expect(answerOpen(open(), { address }, options)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:session|entry)-not-found$/),
    });
  });

  test("an entry that is not in the session is refused", async () => {
    const { id } = session("Look for the walrus");
    const refused = answerOpen(open(), { address: `${id}#ffffffffffff` }, options);
    await expect(refused).rejects.toMatchObject({ code: "entry-not-found" });
  });

  test("an invalid cursor starts over", async () => {
    session("Look for the walrus");
    for (const cursor of [
      "",
      "x",
      "eyJtb2RpZmllZCI6MX0",
      "null",
      "text:99",
      Buffer.from("[1]").toString("base64url"),
    ]) {
      expect((await answerSearch(open(), { words: "walrus", cursor }, options)).found).toBe(1);
    }
  });
});

test("a session with many entries is indexed and searched", async () => {
  const count = sampledRuns({ all: 100_000, some: 10_000 });
  const lines = [
    JSON.stringify({ type: "session", version: 3, id: "long", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/app" }),
  ];
  for (let n = 0; n < count; n++) {
    const message = n % 2 === 0 ? user(`prompt${n} about the walrus`) : assistant(`answer${n}`);
    const parentId = n === 0 ? null : `e${n - 1}`;
    lines.push(
      JSON.stringify({ type: "message", id: `e${n}`, parentId, timestamp: "2026-01-01T00:00:01.000Z", message }),
    );
  }
  writeFileSync(join(dir, "2026-01-01T00-00-00-000Z_long.jsonl"), `${lines.join("\n")}\n`);
  const history = open();
  expect((await answerSearch(history, { words: "prompt2000" }, options)).text).toContain("long#e2000 ");
  expect((await answerTried(history, { words: "prompt2000" }, options)).found).toBe(1);
  expect((await answerOpen(history, { address: "long#e4001" }, options)).text).toContain("answer4001");
});
