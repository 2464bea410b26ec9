/** Every bad input has a defined result: a precise error or a finding, no change to the file, no readable entry lost. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { sampledRuns } from "../support/sampled.js";
import { HEADER_LINE, header, line } from "../support/session-lines.js";
import { fastFolder, tempFolder } from "../support/temp-folder.js";

interface Expected {
  /** The ids of `getEntries`, in order. */
  readonly entries: string;
  /** What opening and reading everything reports, as `code line`. */
  readonly problems?: readonly string[];
  /** What only `verifySession` reports. */
  readonly verified?: readonly string[];
  readonly readOnly?: "no-header" | "future-version";
}

type Case = readonly [name: string, bytes: string | Buffer, expected: Expected | "not-a-session"];

const ab = line("a", null) + line("b", "a");
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const deep = (depth: number) =>
  `{"type":"custom","id":"b","parentId":"a","timestamp":"t","customType":"x","data":${nested(depth)}}\n`;
const at = (time: string) => ({ timestamp: time });

const CASES: readonly Case[] = [
  ["an empty file", "", { entries: "", verified: ["empty-file 0"] }],
  ["blank lines alone", "\n\r\n  \n", "not-a-session"],
  ["a binary file", Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 197) % 256)), "not-a-session"],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "not-a-session"],
  ["another kind of JSON", '{"name":"x"}\n[1,2]\n', "not-a-session"],
  ["half a header alone", HEADER_LINE.slice(0, 50), "not-a-session"],
  [
    "half a header and entries",
    `${HEADER_LINE.slice(0, 50)}\n${ab}`,
    {
      entries: "a b",
      problems: ["unreadable-line 1", "no-header 0"],
      readOnly: "no-header",
    },
  ],
  ["no header", ab, { entries: "a b", problems: ["no-header 0"], readOnly: "no-header" }],
  ["a byte order mark", `\uFEFF${HEADER_LINE}${ab}`, { entries: "a b", verified: ["byte-order-mark 1"] }],
  ["Windows line ends", (HEADER_LINE + ab).replaceAll("\n", "\r\n"), { entries: "a b", verified: ["windows-lines 1"] }],
  [
    "NUL bytes in the middle",
    `${HEADER_LINE}${line("a", null)}${"\0".repeat(64)}\n${line("b", "a")}`,
    {
      entries: "a b",
      problems: ["unreadable-line 3"],
    },
  ],
  ["NUL bytes at the end", `${HEADER_LINE}${ab}${"\0".repeat(64)}`, { entries: "a b", problems: ["torn-tail 4"] }],
  [
    "NUL bytes in a text",
    HEADER_LINE + ab.replace('"content":"b"', '"content":"b\0"'),
    {
      entries: "a b!",
      problems: ["unreadable-entry 3"],
    },
  ],
  [
    "bytes that are not UTF-8",
    Buffer.from(HEADER_LINE + ab.replace('"content":"b"', '"content":"\xe9"'), "latin1"),
    {
      entries: "a b",
      verified: ["bad-encoding 3"],
    },
  ],
  ["nesting 10,000 deep", HEADER_LINE + line("a", null) + deep(10_000) + line("c", "b"), { entries: "a b c" }],
  ["nesting 1,000,000 deep", HEADER_LINE + line("a", null) + deep(1_000_000) + line("c", "b"), { entries: "a b c" }],
  [
    "__proto__ keys",
    HEADER_LINE + ab.replace('"message":{', '"__proto__":{"x":1},"message":{"__proto__":{"y":2},'),
    {
      entries: "a b",
    },
  ],
  [
    "__proto__ as an id",
    HEADER_LINE + line("__proto__", null) + line("constructor", "__proto__"),
    {
      entries: "__proto__ constructor",
    },
  ],
  [
    "duplicate ids",
    HEADER_LINE + ab + line("b", "a", { more: 1 }) + line("c", "b"),
    {
      entries: "a b b c",
      problems: ["duplicate-id 4"],
    },
  ],
  ["the same line twice", HEADER_LINE + ab + line("a", null), { entries: "a b", problems: ["repeated-line 4"] }],
  ["a self-parent", HEADER_LINE + ab + line("c", "c"), { entries: "a b c", problems: ["cycle 4"] }],
  [
    "a cycle",
    HEADER_LINE + line("a", "c") + line("b", "a") + line("c", "b") + line("d", null),
    {
      entries: "a b c d",
      problems: ["cycle 3"],
    },
  ],
  ["a missing parent", HEADER_LINE + ab + line("c", "gone"), { entries: "a b c", problems: ["missing-parent 4"] }],
  [
    "entries before the header",
    `${line("a", null)}${HEADER_LINE}${line("b", "a")}`,
    {
      entries: "a b",
      problems: ["late-header 2"],
    },
  ],
  [
    "two headers",
    HEADER_LINE + line("a", null) + header({ id: "another" }) + line("b", "a"),
    {
      entries: "a b",
      problems: ["second-header 3"],
    },
  ],
  [
    "a clock going backwards",
    HEADER_LINE + ab.replace("12:00:00.000Z", "12:01:00.000Z"),
    {
      entries: "a b",
      verified: ["clock-backwards 3"],
    },
  ],
  [
    "times that are none",
    HEADER_LINE + line("a", null, at("yesterday")) + line("b", "a", at("")),
    {
      entries: "a b",
      verified: ["bad-shape 2", "bad-shape 3"],
    },
  ],
  [
    "a later version",
    header({ version: 4 }) + ab,
    {
      entries: "a b",
      verified: ["future-version 1"],
      readOnly: "future-version",
    },
  ],
  [
    "a version that is no number",
    header({ version: {} }) + ab,
    {
      entries: "a b",
      verified: ["future-version 1"],
      readOnly: "future-version",
    },
  ],
  [
    "fields of the wrong kind",
    HEADER_LINE + line("a", null, { message: 7 }) + line("b", "a", { message: null }),
    {
      entries: "a b",
      verified: ["bad-shape 2", "bad-shape 3"],
    },
  ],
];

function fileOf(bytes: string | Buffer): string {
  const path = join(tempFolder(), "session.jsonl");
  writeFileSync(path, bytes);
  return path;
}

const told = ({ code, line: number }: { readonly code: string; readonly line: number }) => `${code} ${number}`;

/** The content of a session after reading all of it; `!` after what is unreadable. */
function lookedAt(session: SessionManager) {
  const entries = session.getEntries();
  session.buildSessionContext();
  for (const { id } of entries) session.getBranch(id);
  const reached: string[] = [];
  const open = [...session.getTree()];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    reached.push(node.id);
    for (const child of node.children) open.push(child);
  }
  expect(reached.sort()).toEqual(entries.map(({ id }) => id).sort());
  return {
    entries: entries.map(({ id, type }) => (type === "unreadable" ? `${id}!` : id)).join(" "),
    problems: session.getProblems().map(told),
    readOnly: session.getReadOnlyReason()?.kind,
  };
}

describe.each(CASES)("%s", (_, bytes, expected) => {
  it.each([
    ["for writing", { readOnly: false }],
    ["for reading", { readOnly: true }],
  ])("opened %s has a defined result and does not change the file", (_how, options) => {
    const path = fileOf(bytes);
    const before = readFileSync(path);
    if (expected === "not-a-session") {
      expect(() => SessionManager.open(path, undefined, options)).toThrow(
        expect.objectContaining({ name: "SessionError", code: "not-a-session" }),
      );
    } else {
      const session = SessionManager.open(path, undefined, options);
      expect(lookedAt(session)).toEqual({
        entries: expected.entries,
        problems: expected.problems ?? [],
        readOnly: options.readOnly && expected.readOnly !== "future-version" ? "asked" : expected.readOnly,
      });
      session.close();
    }
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual(["session.jsonl"]);
  });

  it("verified has the same findings, and those that need a closer look", async () => {
    const report = await verifySession(fileOf(bytes));
    if (expected === "not-a-session") expect(report.ok && report.header !== undefined).toBe(false);
    else {
      const findings = report.findings.map(told);
      expect(findings).toEqual(expect.arrayContaining([...(expected.problems ?? []), ...(expected.verified ?? [])]));
    }
  });
});

it.each(CASES.filter(([, , expected]) => expected !== "not-a-session"))(
  "%s: continues, or says why not",
  (_, bytes, expected) => {
    const { readOnly, entries } = expected as Expected;
    const path = fileOf(bytes);
    const before = readFileSync(path);
    const session = SessionManager.open(path);
    const leafId = session.getLeafId();
    if (readOnly !== undefined) {
      expect(() => session.appendMessage(user("x"))).toThrow(
        expect.objectContaining({ code: "read-only", data: { reason: readOnly } }),
      );
      expect(session.getLeafId()).toBe(leafId);
      session.close();
      expect(readFileSync(path).equals(before)).toBe(true);
      return;
    }
    const added = session.appendMessage(user("x"));
    session.close();
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
    const again = SessionManager.open(path, undefined, { readOnly: true });
    expect([lookedAt(again).entries, again.getLeafId()]).toEqual([`${entries} ${added}`.trim(), added]);
    again.close();
  },
);

it.each([{ readOnly: false }, { readOnly: true }])("a folder is refused with its own code (%j)", (options) => {
  const path = join(tempFolder(), "folder.jsonl");
  mkdirSync(path);
  writeFileSync(join(path, "inside"), "x");
  expect(() => SessionManager.open(path, undefined, options)).toThrow(
    expect.objectContaining({ code: "is-directory" }),
  );
  expect(readdirSync(path)).toEqual(["inside"]);
});

const MEGABYTES = sampledRuns({ all: 200, some: 50 });

it(`a line of ${MEGABYTES} MB is opened, passed over, read when asked for, and appended to`, () => {
  const path = join(fastFolder(), "large.jsonl");
  const out = openSync(path, "w");
  const size = MEGABYTES * 1000 * 1000;
  const [start, end] = line("b", "a", { message: { role: "user", content: "#", timestamp: 1 } }).split("#") as [
    string,
    string,
  ];
  writeSync(out, HEADER_LINE + line("a", null) + start);
  const chunk = Buffer.alloc(1 << 20, "x");
  for (let sent = 0; sent < size; sent += chunk.length) writeSync(out, chunk, 0, Math.min(chunk.length, size - sent));
  writeSync(out, end + line("c", "b"));
  closeSync(out);
  const before = statSync(path);

  const session = SessionManager.open(path);
  expect([session.getLeafId(), session.getCounts().entries, session.getProblems()]).toEqual(["c", 3, []]);
  const large = session.getEntry("b") as { message: { content: string } };
  expect([large.message.content.length, session.getBranch().map(({ id }) => id)]).toEqual([size, ["a", "b", "c"]]);
  session.close();
  expect(statSync(path).size).toBe(before.size);

  const going = SessionManager.open(path);
  const added = going.appendMessage(user("d"));
  going.close();
  const again = SessionManager.open(path, undefined, { readOnly: true });
  expect([again.getLeafId(), again.getEntry(added)?.parentId]).toEqual([added, "c"]);
  again.close();
});
