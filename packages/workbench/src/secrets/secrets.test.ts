import { createHash } from "node:crypto";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { secretFinder } from "./find-secrets.js";
import { createRedactor } from "./mask-secrets.js";
import type { Scanned } from "./scan-batch.js";
import { scanEntries } from "./scan-entries.js";
import { core, custom, entry, NOTHING, prompt, random, SHAPES, SHAPES_ALONE } from "./secret-shapes.test-support.js";
import { Spots } from "./spots.js";

const NO_SCAN = { findings: [], values: new Map<string, number>(), spots: new Spots() };

describe("secrets of known shapes", () => {
  const places: Readonly<Record<string, (session: SessionManager, text: string) => void>> = {
    "a prompt": (session, text) => void session.appendMessage({ role: "user", content: text, timestamp: 1 }),
    "tool output": (session, text) =>
      void session.appendMessage({
        role: "toolResult",
        toolCallId: "1",
        toolName: "bash",
        content: [{ type: "text", text }],
        isError: false,
        timestamp: 1,
      }),
    "details of an extension": (session, text) =>
      void session.appendCustomEntry("notes", { deep: [{ [`k ${text}`]: text }] }),
  };

  test.each(Object.keys(places))("are all caught in %s of an abandoned branch, and masked", async (place) => {
    for (const [name, secret] of Object.entries(SHAPES)) {
      const session = SessionManager.inMemory("/project");
      const start = session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
      places[place]?.(session, `before\nexport X='1'\n${secret}\nafter`);
      session.branch(start);
      session.appendMessage({ role: "user", content: "another way", timestamp: 1 });
      const entries = session.getEntries();
      const scan = await scanEntries(entries, NOTHING);
      expect.soft(scan.findings.length, name).toBeGreaterThan(0);
      const redactor = createRedactor(scan);
      const masked = JSON.stringify(entries.map((entry) => redactor.record(entry)));
      expect.soft(masked, name).not.toContain(core(secret));
      expect.soft(JSON.stringify(scan.findings), name).not.toContain(core(secret));
    }
  });
});

describe("shapes of secrets", () => {
  test("are at least 160", () => {
    expect(Object.keys({ ...SHAPES, ...SHAPES_ALONE }).length).toBeGreaterThanOrEqual(160);
  });

  test.each([
    "sha512-Zk8mQ3vT0aB9xY7cLp2Rw5Nd1Ef6Gh4Jk8Lm3Op7Qr",
    "btn-primary-hover-background-color-transition",
    "feature/very-long-branch-name-with-many-words-1234",
    "test_that_the_parser_reads_every_line_of_the_file_2",
    "getServerSidePropsForTheDashboardPage_v2",
    "chunk-0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
  ])("%s is not taken for a token", async (text) => {
    expect((await scanEntries([prompt(`see ${text} there`)], NOTHING)).findings).toEqual([]);
  });

  test("a token with an unknown prefix is found by its shape", async () => {
    const secret = `newvendor_live_${random(40)}`;
    const entries = [prompt(`export KEY=x\n${secret}\n`)];
    const scan = await scanEntries(entries, NOTHING);
    expect(scan.findings).toMatchObject([{ rule: "unknown-token" }]);
    expect(JSON.stringify(createRedactor(scan).record(entries[0] as Scanned))).not.toContain(core(secret));
  });

  test.each(Object.entries({ ...SHAPES, ...SHAPES_ALONE }))("%s is found and masked", async (_name, secret) => {
    const entries = [prompt(`before\n${secret}\nafter`)];
    const scan = await scanEntries(entries, NOTHING);
    const masked = JSON.stringify(createRedactor(scan).record(entries[0] as (typeof entries)[0]));
    expect([scan.findings.length > 0, masked.includes(core(secret))]).toEqual([true, false]);
  });

  test.each([
    "mysql -p app",
    "curl -u user:password https://a.example",
    "Cookie: theme=dark; lang=en",
    "git log --password",
    "ssh -p 2222 host",
    "the machine has a login and a password for everyone",
    "client-key-data: <base64>",
    "10:30:00:app:user",
    "sdk-and-api-keys",
    "commit 3f2a9c1 at 12:30:10",
  ])("and this is not one: %s", async (text) => {
    expect((await scanEntries([prompt(text)], NOTHING)).findings).toEqual([]);
  });
});

describe("very long texts", () => {
  // Each of these took most of a minute when every start was followed to the end of the text.
  test.each(["eyJ", "axoxb-", "pypi-", "a-"])(
    "that repeat the start of a secret are still scanned: %s",
    async (start) => {
      const { findings } = await scanEntries(
        [prompt(start.repeat(sampledRuns({ all: 100_000, some: 20_000 }))), prompt(SHAPES["npm token"] as string)],
        NOTHING,
      );
      expect(findings.map(({ rule }) => rule)).toContain("npm-token");
    },
  );

  test("a web token that contains a long list is one token", async () => {
    const long = `eyJhbGciOiJIUzI1NiJ9.eyJ${random(12_000)}.${random(43)}`;
    const { findings } = await scanEntries([prompt(`Cookie ${long}`)], NOTHING);
    expect(findings.map(({ rule }) => rule)).toEqual(["json-web-token"]);
  });
});

describe("values of the environment", () => {
  const environment = { MY_SERVICE_KEY: "plain words 42", PATH: "/usr/bin:/bin", SSH_AUTH_SOCK: "/tmp/agent.1" };

  test.each([
    ["as it is", "it is plain words 42."],
    ["in an address", `https://a.example/?k=${encodeURIComponent("plain words 42")}`],
    ["encoded with others", Buffer.from("user:plain words 42:more").toString("base64")],
  ])("are found %s", async (_name, text) => {
    const scan = await scanEntries([prompt(text)], { environment });
    expect(scan.findings.map(({ title }) => title)).toContain("value of MY_SERVICE_KEY");
  });

  test("do not make paths and everyday variables secrets", async () => {
    const scan = await scanEntries([prompt("/usr/bin:/bin and /tmp/agent.1")], { environment });
    expect(scan.findings).toEqual([]);
  });
});

describe("the scan", () => {
  test("names the place, counts repetitions and shows at most the start of a value", async () => {
    const secret = SHAPES["GitHub token"] as string;
    const records: Scanned[] = [prompt(`first\nmy token is ${secret}`, "a"), prompt(secret, "b")];
    const { findings } = await scanEntries(records, NOTHING);
    expect(findings).toEqual([
      {
        number: 1,
        rule: expect.stringMatching(/github/) as string,
        title: expect.any(String) as string,
        entryId: "a",
        place: "prompt",
        line: 2,
        excerpt: "my token is ghp_••••",
        count: 2,
      },
    ]);
  });

  test("leaves ordinary code alone", async () => {
    const code = [
      "const token = await readToken(input);",
      'export type ApiKey = string; // "sk-..." goes here',
      "if (password === undefined) throw new Error('no password');",
      "git checkout 3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39",
      "const apiKey = process.env.OPENAI_API_KEY;",
      "token: string | undefined, secret: Uint8Array;",
      "postgres://user:password@localhost/db in the example",
    ].join("\n");
    const { findings } = await scanEntries([prompt(code)], NOTHING);
    expect(findings.filter(({ rule }) => rule !== "password-in-address" && !rule.includes("database"))).toEqual([]);
  });

  test("leaves no performance marks that would grow with every scan", async () => {
    const marks = () => performance.getEntriesByType("mark").length + performance.getEntriesByType("measure").length;
    const before = marks();
    for (let i = 0; i < 3; i++) await scanEntries([prompt("words")], NOTHING);
    expect(marks()).toBe(before);
  });

  test("stops when aborted", async () => {
    const stopped = AbortSignal.abort(new Error("enough"));
    await expect(scanEntries([prompt("x")], { ...NOTHING, signal: stopped })).rejects.toThrow("enough");
  });
});

describe("secrets that are split, or in unusual fields", () => {
  const secret = SHAPES["GitHub token"] as string;
  const [head, tail] = [secret.slice(0, 14), secret.slice(14)];
  const word = `${random(24)}7a`;
  const key = `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${random(64)}`;
  const keyLine = (number: number, length = 64) =>
    createHash("sha512").update(`line ${number}`).digest("base64").repeat(2).replaceAll("=", "").slice(0, length);
  const call = (given: object) =>
    entry({ role: "assistant", content: [{ type: "toolCall", id: "1", name: "x", ...given }] });
  const cases: Readonly<Record<string, [record: Scanned, left: string]>> = {
    "in colours": [prompt(`a \x1b[32m${secret}\x1b[0m b`), secret],
    "with colours inside": [prompt(`a ${head}\x1b[0m\x1b[1m${tail} b`), tail],
    "with an invisible character inside": [prompt(`a ${head}\u200b${tail} b`), tail],
    "with zero bytes between": [prompt([...secret].join("\0")), [...tail].join("\0")],
    "after an escaped line break": [prompt(JSON.stringify(`x\n${secret}`)), secret],
    "in JSON inside JSON": [prompt(JSON.stringify(JSON.stringify({ api_key: word }))), word],
    "below a comment that disables secretlint": [
      prompt(`// secretlint-disable\n${SHAPES["npm token"]}`),
      SHAPES["npm token"] as string,
    ],
    "a name made of words": [prompt(`const dbPassword = "${word}"`), word],
    "a field named password": [call({ arguments: { password: word } }), word],
    "a header in arguments": [call({ arguments: { headers: { Authorization: `Bearer ${word}` } } }), word],
    "the id of a call": [call({ id: secret, arguments: {} }), secret],
    "data that only claims to be an image": [custom({ type: "image", data: secret }), secret],
    "a private key without its end": [custom({ text: `${key}\n...`, more: "words" }), random(64)],
    "the end of a private key": [
      prompt(`${keyLine(0)}\n${keyLine(1)}\nshort7==\n-----END RSA ${"PRIVATE"} KEY-----`),
      keyLine(0),
    ],
    "the middle of a private key": [
      prompt(`${keyLine(0)}\n${keyLine(1)}\n${keyLine(2)}\n\n[20 more lines]`),
      keyLine(1),
    ],
    "the middle of an OpenSSH key": [prompt(`a\n${keyLine(0, 70)}\r\n${keyLine(1, 70)}\r\nb`), keyLine(0, 70)],
    "a private key in two fields": [custom({ one: key, two: `-----END RSA ${"PRIVATE"} KEY-----` }), random(64)],
    "a password with an at sign": [prompt("postgres://me:p1@ssW0rdXy@host/db"), "ssW0rdXy"],
  };

  test.each(Object.keys(cases))("are found and masked: %s", async (name) => {
    const [record, left] = cases[name] as [Scanned, string];
    const masked = createRedactor(await scanEntries([record], NOTHING)).record(record);
    expect(JSON.stringify(record)).toContain(JSON.stringify(left).slice(1, -1));
    expect(JSON.stringify(masked)).not.toContain(JSON.stringify(left).slice(1, -1));
  });

  test.each([
    [
      "a certificate",
      `-----BEGIN CERTIFICATE-----\n${[0, 1, 2].map((n) => keyLine(n)).join("\n")}\n-----END CERTIFICATE-----\n`,
    ],
    ["checksums", [0, 1, 2].map((n) => createHash("sha256").update(`${n}`).digest("hex")).join("\n")],
    ["long words", `${"a".repeat(64)}\n${"b".repeat(64)}\n${"c".repeat(64)}\n`],
  ])("are not found in what only looks like a key: %s", async (_, text) => {
    expect((await scanEntries([prompt(text)], NOTHING)).findings).toEqual([]);
  });

  test("have one number, colored or not", async () => {
    const { findings, values } = await scanEntries([prompt(secret), prompt(`${head}\x1b[0m${tail}`)], NOTHING);
    expect(findings.map(({ number, count }) => ({ number, count }))).toEqual([{ number: 1, count: 2 }]);
    expect(values.size).toBe(2);
  });

  test("are not shown in the excerpt of another one", async () => {
    const other = SHAPES["npm token"] as string;
    const { findings } = await scanEntries([prompt(`${secret} ${other}`)], NOTHING);
    expect(findings).toHaveLength(2);
    for (const { excerpt } of findings)
      expect(excerpt).not.toMatch(new RegExp(`${tail.slice(-6)}|${other.slice(0, 8)}`));
  });

  test("are found in every record, however many are scanned together", async () => {
    const records = Array.from({ length: 300 }, (_, n) =>
      prompt(`${"words ".repeat(700)}${n === 299 ? secret : ""}`, `e${n}`),
    );
    const { findings } = await scanEntries(records, NOTHING);
    expect(findings.map(({ entryId }) => entryId)).toEqual(["e299"]);
  });
});

describe("the redactor", () => {
  test("keeps the findings it is told to keep, and the structure of every record", async () => {
    const secret = SHAPES["npm token"] as string;
    const record = prompt(`use ${secret} in /home/me/project`, "a1");
    const scan = await scanEntries([record], NOTHING);
    expect(createRedactor(scan, { keep: new Set([1]) }).record(record)).toEqual(record);
    const masked = createRedactor(scan, { homes: ["/home/me"] }).record(record);
    expect(masked).toEqual({
      ...record,
      message: { ...record.message, content: expect.stringMatching(/^use ••••\([\w-]+ 1\) in ~\/project$/) as string },
    });
  });

  test("the home folder is shortened wherever its name ends, and no other folder is", () => {
    const { text } = createRedactor(NO_SCAN, { homes: ["/home/me"] });
    expect(text("(/home/me), `/home/me`, /home/me. /home/me/x")).toBe("(~), `~`, ~. ~/x");
    expect(text("/home/mel /home/me-too /home/me.old")).toBe("/home/mel /home/me-too /home/me.old");
  });

  test("a field called __proto__ stays data", () => {
    const record = JSON.parse('{"type":"custom","id":"a","data":{"__proto__":{"polluted":true}}}') as object;
    const copy = createRedactor(NO_SCAN).record(record);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(record));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

test("other work runs between the rules, secretlint and the decoded text of one batch", async () => {
  const finder = await secretFinder({ environment: {} });
  let turns = 0;
  let isOver = false;
  const other = () => {
    turns += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await finder.find("just a few words");
  isOver = true;
  expect(turns).toBeGreaterThan(1);
});
