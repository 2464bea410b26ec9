import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import type { Problem } from "../entry/index.js";
import { SessionManager } from "./session-manager.js";
import { call, DAMAGED, entry, file, HEADER, line, result, TIME } from "./verify/damaged-files.test-support.js";
import { verifySession } from "./verify-session.js";

const folder = mkdtempSync(join(tmpdir(), "bough-verify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function written(bytes: Buffer): string {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, bytes);
  return path;
}

/** A whole finding on one line. */
function told({ code, line: at, offset, bytes, cause, effect, entryId }: Problem): string {
  return `${at} (${bytes} bytes at ${offset}) ${code}${entryId === undefined ? "" : ` of ${entryId}`}: ${cause}; ${effect}`;
}

async function findingsOf(...lines: readonly string[]): Promise<string[]> {
  return (await verifySession(written(file(...lines)))).findings.map(told);
}

describe("verifying a session", () => {
  test("reports on the file as a whole", async () => {
    const path = written(DAMAGED["an unreadable entry"] as Buffer);
    expect(await verifySession(path)).toEqual({
      path,
      header: { type: "session", version: 3, id: "the-session", timestamp: TIME, cwd: "/work" },
      version: 3,
      lines: 4,
      entries: 3,
      readable: 2,
      findings: [
        {
          code: "unreadable-entry",
          line: 3,
          offset: 240,
          bytes: 134,
          cause: "the line starts like an entry, but is not JSON",
          effect: "the entry keeps its position in the tree; its content cannot be shown",
          entryId: "b",
        },
      ],
      counts: { damage: 1, odd: 0, note: 0 },
      ok: false,
    });
  });

  test("names every kind of damage, where it is, and what it means", async () => {
    const all: Record<string, string[]> = {};
    for (const [name, bytes] of Object.entries(DAMAGED)) {
      all[name] = (await verifySession(written(bytes))).findings.map(told);
    }
    expect(all).toMatchInlineSnapshot(`
      {
        "__proto__ keys": [],
        "a chain of unreadable lines": [
          "3 (132 bytes at 240) unreadable-line of b: the line is not JSON; this line cannot be read; it stays in the file",
          "4 (134 bytes at 373) unreadable-entry of c: the line starts like an entry, but is not JSON; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "a later version": [
          "1 (102 bytes at 0) future-version: this program does not support format version 4; the session is read-only, and only what is understood is shown",
        ],
        "a line that is no object": [
          "3 (5 bytes at 240) unreadable-line: the line is JSON, but not an object; this line cannot be read; it stays in the file",
          "4 (4 bytes at 246) unreadable-line: the line is JSON, but not an object; this line cannot be read; it stays in the file",
        ],
        "a line that is not JSON": [
          "3 (9 bytes at 240) unreadable-line: the line is not JSON; this line cannot be read; it stays in the file",
        ],
        "a line written again": [
          "3 (134 bytes at 240) unreadable-line of b: the line was cut off, and written again later; the later line is used",
        ],
        "a position as a parent": [
          "4 (135 bytes at 351) missing-parent of b: the parent p is not in the file; shown as a separate root",
        ],
        "a position at an unreadable entry": [
          "3 (134 bytes at 240) unreadable-entry of b: the line starts like an entry, but is not JSON; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "a position whose parent is missing": [
          "4 (115 bytes at 376) missing-parent of p: the parent nobody is not in the file; shown as a separate root",
        ],
        "a stump before a record": [
          "3 (165 bytes at 240) joined-records: the line holds a record and other bytes; the record was read, the other bytes stay in the file",
          "3 (135 bytes at 270) missing-parent of c: the parent b is not in the file; shown as a separate root",
        ],
        "a stump with its place before a record": [
          "3 (245 bytes at 240) unreadable-entry of b: the line starts like an entry, but another record follows; the entry keeps its position in the tree; its content cannot be shown",
          "3 (245 bytes at 240) joined-records: the line holds a record and other bytes; the record was read, the other bytes stay in the file",
        ],
        "a version that is no number": [
          "1 (104 bytes at 0) future-version: this program does not support format version "3"; the session is read-only, and only what is understood is shown",
        ],
        "a zero byte in a text": [
          "3 (136 bytes at 240) unreadable-entry of b: the line starts like an entry, but is not JSON; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "an entry without an id": [
          "3 (31 bytes at 240) unreadable-line: the field id is missing; this line cannot be read; it stays in the file",
        ],
        "an id that is a number": [
          "3 (133 bytes at 240) unreadable-line: the field id is not a string, or is empty; this line cannot be read; it stays in the file",
          "4 (135 bytes at 374) missing-parent of c: the parent b is not in the file; shown as a separate root",
        ],
        "an id that stands twice": [
          "3 (144 bytes at 240) unreadable-entry of b: the line starts like an entry, but has the field id twice; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "an old header that comes late": [
          "4 (136 bytes at 409) repeated-line of a: the same line appears earlier; shown once",
          "5 (135 bytes at 546) repeated-line of b: the same line appears earlier; shown once",
          "6 (135 bytes at 682) repeated-line of c: the same line appears earlier; shown once",
          "7 (1 bytes at 818) unreadable-line: the line is not JSON; this line cannot be read; it stays in the file",
          "8 (1 bytes at 820) unreadable-line: the line is not JSON; this line cannot be read; it stays in the file",
          "9 (1 bytes at 822) unreadable-line: the line is not JSON; this line cannot be read; it stays in the file",
          "10 (102 bytes at 824) late-header: entries come before the header; they are read anyway",
          "10 (102 bytes at 824) old-version: the file has format version 2; it is upgraded when it is opened for writing; the original is kept",
        ],
        "an unreadable entry": [
          "3 (134 bytes at 240) unreadable-entry of b: the line starts like an entry, but is not JSON; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "an unreadable last entry": [
          "4 (134 bytes at 376) unreadable-entry of c: the line starts like an entry, but is not JSON; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "an unreadable line with a taken id": [
          "4 (140 bytes at 376) duplicate-id of b: the id b is taken by another entry; shown as a separate root; the id refers to the first",
          "4 (140 bytes at 376) unreadable-entry of b: the line starts like an entry, but is not JSON; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "an unreadable line with children": [
          "3 (134 bytes at 240) unreadable-entry of b: the line starts like an entry, but is not JSON; the entry keeps its position in the tree; its content cannot be shown",
        ],
        "byte order mark": [
          "1 (105 bytes at 0) byte-order-mark: the file starts with a byte order mark; it is ignored",
        ],
        "byte order mark before an entry": [
          "3 (138 bytes at 240) byte-order-mark: the line starts with a byte order mark; it is ignored",
        ],
        "bytes that are not UTF-8": [
          "2 (136 bytes at 103) bad-encoding: the line has bytes that are not UTF-8; each of them is shown as a replacement character; the file keeps them",
        ],
        "bytes that are not UTF-8 in an id": [
          "3 (137 bytes at 240) bad-encoding: the line has bytes that are not UTF-8; each of them is shown as a replacement character; the file keeps them",
          "4 (136 bytes at 378) bad-encoding: the line has bytes that are not UTF-8; each of them is shown as a replacement character; the file keeps them",
          "5 (135 bytes at 515) duplicate-id of c: the id c is taken by another entry; shown as a separate root; the id refers to the first",
        ],
        "clock going backwards": [
          "3 (135 bytes at 240) clock-backwards of b: the entry is 60 seconds older than its parent; the tree follows parents, so only the displayed time is doubtful",
        ],
        "cycle": [
          "4 (135 bytes at 376) cycle of c: the parent chain loops back to this entry; shown as a separate root",
        ],
        "deep nesting": [],
        "duplicate ids": [
          "4 (141 bytes at 376) duplicate-id of b: the id b is taken by another entry; shown as a separate root; the id refers to the first",
        ],
        "duplicate of the last entry": [
          "4 (140 bytes at 376) duplicate-id of b: the id b is taken by another entry; shown as a separate root; the id refers to the first",
        ],
        "empty file": [
          "0 (0 bytes at 0) empty-file: the file is empty; an empty session; opening it for writing starts it",
        ],
        "entries before the header": [
          "2 (102 bytes at 137) late-header: entries come before the header; they are read anyway",
        ],
        "half a header": [
          "0 (0 bytes at 0) no-header: no line of the file is a readable header; the session is read-only; copy or repair it to continue",
          "1 (60 bytes at 0) unreadable-line: the line is not JSON; this line cannot be read; it stays in the file",
        ],
        "joined records": [
          "2 (271 bytes at 103) joined-records: the line holds 2 records and other bytes; the records were read one by one",
        ],
        "joined records with a stray byte": [
          "2 (272 bytes at 103) joined-records: the line holds 2 records and other bytes; the records were read one by one",
        ],
        "last newline missing": [],
        "missing parent": [
          "3 (140 bytes at 240) missing-parent of b: the parent nobody is not in the file; shown as a separate root",
        ],
        "no header": [
          "0 (0 bytes at 0) no-header: no line of the file is a readable header; the session is read-only; copy or repair it to continue",
        ],
        "nothing wrong": [],
        "parents that come later": [],
        "repeated lines": [
          "4 (136 bytes at 376) repeated-line of a: the same line appears earlier; shown once",
          "5 (135 bytes at 513) repeated-line of b: the same line appears earlier; shown once",
        ],
        "self-parent": [
          "3 (135 bytes at 240) cycle of b: the parent chain loops back to this entry; shown as a separate root",
        ],
        "the header joined to a stump": [
          "1 (162 bytes at 0) unreadable-line of the-session: the line is not JSON; this line cannot be read; it stays in the file",
          "2 (135 bytes at 163) missing-parent of b: the parent a is not in the file; shown as a separate root",
        ],
        "the header joined to an entry": [
          "1 (238 bytes at 0) joined-records: the line holds a record and other bytes; the record was read, the other bytes stay in the file",
        ],
        "torn tail": [
          "4 (116 bytes at 376) torn-tail of c: the last line was cut off while it was written; this line cannot be read; it stays in the file",
        ],
        "torn tail without a place": [
          "4 (13 bytes at 376) torn-tail: the last line was cut off while it was written; this line cannot be read; it stays in the file",
        ],
        "two headers": [
          "3 (98 bytes at 240) second-header: another header line; ignored; the first one is used",
        ],
        "version 1": [
          "1 (82 bytes at 0) old-version: the file has format version 1; it is upgraded when it is opened for writing; the original is kept",
          "3 (9 bytes at 183) unreadable-line: the line is not JSON; this line cannot be read; it stays in the file",
        ],
        "version 2": [
          "1 (102 bytes at 0) old-version: the file has format version 2; it is upgraded when it is opened for writing; the original is kept",
          "4 (141 bytes at 376) duplicate-id of b: the id b is taken by another entry; shown as a separate root; the id refers to the first",
        ],
        "windows lines": [
          "1 (103 bytes at 0) windows-lines: 3 lines end with a carriage return, this one first; it is ignored",
        ],
        "zero bytes at the end": [
          "4 (64 bytes at 376) torn-tail: the last line was cut off while it was written; this line cannot be read; it stays in the file",
        ],
        "zero bytes before a record": [
          "3 (139 bytes at 240) joined-records: the line holds a record and other bytes; the record was read, the other bytes stay in the file",
        ],
        "zero bytes in the middle": [
          "3 (64 bytes at 240) unreadable-line: the line is zero bytes; this line cannot be read; it stays in the file",
        ],
      }
    `);
  });

  test.each(Object.keys(DAMAGED))("finds what the engine reports on opening: %s", async (name) => {
    const path = written(DAMAGED[name] as Buffer);
    const places = new Set((await verifySession(path)).findings.map(({ code, line: at }) => `${code} in line ${at}`));
    const session = SessionManager.open(path, undefined, { readOnly: true });
    const reported = session.getProblems().map(({ code, line: at }) => `${code} in line ${at}`);
    session.close();
    expect(reported.filter((one) => !places.has(one))).toEqual([]);
  });

  test("never writes", async () => {
    const path = written(DAMAGED["version 1"] as Buffer);
    const before = statSync(path);
    const names = readdirSync(folder);
    await verifySession(path);
    expect({ mtime: statSync(path).mtimeMs, names: readdirSync(folder) }).toEqual({ mtime: before.mtimeMs, names });
  });

  test("reports its progress in bytes, and stops if aborted", async () => {
    const path = written(
      file(HEADER, ...Array.from({ length: 300 }, (_, n) => line(`e${n}`, null, "x".repeat(100_000)))),
    );
    const total = statSync(path).size;
    const steps: number[] = [];
    await verifySession(path, { onProgress: (done, all) => steps.push(all === total ? done : -1) });
    expect(steps.length).toBeGreaterThan(2);
    expect(steps).toEqual(steps.toSorted((x, y) => x - y));
    expect(steps.at(-1)).toBe(total);
    const controller = new AbortController();
    const stopped = verifySession(path, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
  });

  test("fails without a file to read", async () => {
    await expect(verifySession(folder)).rejects.toMatchObject({ code: "is-directory" });
    await expect(verifySession("/dev/null")).rejects.toMatchObject({ code: "not-a-session" });
    await expect(verifySession(join(folder, "none"))).rejects.toMatchObject({ code: "session-not-found" });
  });

  test("finds nothing to read in a binary file", async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * n * 31 + n) & 0xff));
    const report = await verifySession(written(bytes));
    expect(report).toMatchObject({ header: undefined, version: undefined, entries: 0, readable: 0, ok: false });
    expect(new Set(report.findings.map(({ code }) => code))).toEqual(
      new Set(["no-header", "unreadable-line", "torn-tail", "bad-encoding"]),
    );
  });

  const MEGABYTES = sampledRuns({ all: 200, some: 50 });

  test(`reads a line of ${MEGABYTES} MB`, async () => {
    const path = written(file(HEADER, line("a", null)));
    const out = openSync(path, "a");
    const [start, end] = line("b", "a", "#").split("#");
    writeSync(out, start as string);
    const block = Buffer.alloc(1 << 20, "x");
    for (let i = 0; i < MEGABYTES; i++) writeSync(out, block);
    writeSync(out, `${end}\n${line("c", "b")}\n`);
    closeSync(out);
    expect(await verifySession(path)).toMatchObject({ lines: 4, entries: 3, readable: 3, findings: [] });
  });

  test("names a line that is longer than any text can be", async () => {
    const path = written(file(HEADER, line("a", null)));
    const out = openSync(path, "a");
    const [start, end] = line("b", "a", "#").split("#");
    const length = 2 ** 29;
    writeSync(out, start as string);
    // A hole in the file: it takes no disk space.
    ftruncateSync(out, statSync(path).size + length);
    writeSync(out, `${end}\n${line("c", "b")}\n`);
    closeSync(out);
    const report = await verifySession(path);
    expect(report).toMatchObject({ lines: 4, entries: 3, readable: 2 });
    expect(report.findings.map(({ code, line: at, bytes, cause }) => ({ code, at, bytes, cause }))).toEqual([
      {
        code: "unreadable-entry",
        at: 3,
        bytes: length + line("b", "a", "").length,
        cause: "the line is longer than the runtime can hold as text",
      },
    ]);
  });
});

describe("what entries say of each other", () => {
  test("targets of labels and edits have to be there", async () => {
    expect(
      await findingsOf(
        HEADER,
        line("a", null),
        entry("b", "a", `"type":"label"`, `"targetId":"gone","label":"L"`),
        entry("c", "b", `"type":"context_edit"`, `"targetId":"gone","replacement":null`),
        entry("d", "c", `"type":"label"`, `"targetId":"a","label":"L"`),
      ),
    ).toEqual([
      "3 (109 bytes at 240) missing-target of b: the target gone is not in the file; the entry changes nothing",
      "4 (123 bytes at 350) missing-target of c: the target gone is not in the file; the entry changes nothing",
    ]);
  });

  test("a compaction keeps from an entry above it, or from itself", async () => {
    const compaction = (id: string, parentId: string, kept: string) =>
      entry(id, parentId, `"type":"compaction"`, `"summary":"s"${kept},"tokensBefore":1`);
    const found = await findingsOf(
      HEADER,
      line("a", null),
      line("b", "a"),
      line("aside", "a"),
      compaction("above", "b", `,"firstKeptEntryId":"a"`),
      compaction("itself", "b", `,"firstKeptEntryId":"itself"`),
      compaction("brought-along", "b", `,"retainedTail":[]`),
      compaction("aside-it", "b", `,"firstKeptEntryId":"aside"`),
      compaction("below-it", "b", `,"firstKeptEntryId":"later"`),
      line("later", "below-it"),
      compaction("nowhere", "b", `,"firstKeptEntryId":"gone"`),
      compaction("nothing", "b", ""),
    );
    const effect = "the model sees only the summary of everything above it";
    expect(found.map((one) => one.replace(/^.*\) /, ""))).toEqual([
      `bad-anchor of aside-it: its first kept entry aside is not on the path to it; ${effect}`,
      `bad-anchor of below-it: its first kept entry later is not on the path to it; ${effect}`,
      `bad-anchor of nowhere: its first kept entry gone is not in the file; ${effect}`,
      `bad-anchor of nothing: it names no first kept entry; ${effect}`,
    ]);
  });

  test("a call has a result below it, a result its call above it", async () => {
    const found = await findingsOf(
      HEADER,
      call("a", null, "x"),
      result("b", "a", "x"),
      call("c", "b", "x"), // the same ID again, on the next turn
      result("d", "c", "x"),
      call("e", "d", "y"),
      line("f", "e"),
      result("g", "f", "z"),
      call("h", "d", "w"),
      result("i", "a", "w"), // its call is on another branch
    );
    expect(found.map((one) => one.replace(/^.*\) /, ""))).toEqual([
      "unpaired-call of e: the conversation continues without a result for y; the model is told that the call was interrupted",
      "unpaired-result of g: the call z it answers is not above it; shown in the tree, but not to the model",
      "unpaired-call of h: the branch ends without a result for w; the model is told that the call was interrupted",
      "unpaired-result of i: the call w it answers is not above it; shown in the tree, but not to the model",
    ]);
  });

  test("a parent that is the session or a call means the start or the answer with the call", async () => {
    const found = await findingsOf(HEADER, call("a", "the-session", "x"), result("b", "x", "x"));
    expect(found.filter((one) => one.includes("missing-parent"))).toEqual([]);
  });
});

describe("the shapes of entries", () => {
  const shapes: readonly (readonly [type: string, rest: string, problem: string | undefined])[] = [
    ["message", `"x":1`, "message is missing"],
    ["message", `"message":"hello"`, "message is not an object"],
    ["message", `"message":{"content":"x"}`, "message.role is missing"],
    ["message", `"message":{"role":"user","content":7}`, "message.content is not text or a list"],
    ["message", `"message":{"role":"assistant","content":"x"}`, "message.content is not a list"],
    ["message", `"message":{"role":"toolResult"}`, "message.toolCallId is missing; message.content is missing"],
    ["message", `"message":{"role":"bashExecution","command":"ls","output":"x"}`, undefined],
    ["model_change", `"provider":"p"`, "modelId is missing"],
    ["model_change", `"model":"p/m"`, undefined],
    ["thinking_level_change", `"thinkingLevel":null`, undefined],
    ["thinking_level_change", `"thinkingLevel":3`, "thinkingLevel is not text or null"],
    ["mode_change", `"x":1`, "mode is missing"],
    ["ttsr_injection", `"injectedRules":"r"`, "injectedRules is not a list"],
    ["compaction", `"firstKeptEntryId":"e"`, "summary is missing; tokensBefore is missing"],
    ["branch_summary", `"summary":"s"`, "fromId is missing"],
    ["custom", `"data":1`, "customType is missing"],
    ["custom_message", `"customType":"t","content":"c","display":1`, "display is not true or false"],
    ["label", `"label":"l"`, "targetId is missing"],
    ["session_info", `"name":3`, "name is not text or absent"],
    ["context_edit", `"targetId":"e","replacement":{}`, "replacement is not null, text or a list"],
    ["usage", `"kind":"k","provider":"p","model":"m","usage":7`, "usage is not an object"],
  ];

  test.each(shapes)("%s with %s: %s", async (type, rest, problem) => {
    const found = await verifySession(written(file(HEADER, entry("e", null, `"type":"${type}"`, rest))));
    const told = found.findings.filter(({ code }) => code === "bad-shape").map(({ cause }) => cause);
    expect(told).toEqual(problem === undefined ? [] : [problem]);
  });

  test("times and parents have to be there", async () => {
    expect(
      await findingsOf(
        `{"type":"session","version":3,"id":"s"}`,
        `{"type":"custom","id":"a","timestamp":"yesterday","customType":"t"}`,
      ),
    ).toEqual([
      "1 (39 bytes at 0) bad-shape: timestamp is missing; cwd is missing; missing fields are shown as unknown",
      "2 (67 bytes at 40) bad-shape of a: timestamp is not a time; kept, and shown as far as it can be read",
      "2 (67 bytes at 40) bad-shape of a: parentId is missing; read as a root",
    ]);
  });

  test("unknown items are reported once for each kind", async () => {
    const other = (id: string) => entry(id, null, `"type":"new_kind"`, `"x":1`);
    const effect = "kept byte for byte, not shown to the model";
    expect(
      await findingsOf(
        HEADER,
        other("a"),
        other("b"),
        entry("c", null, `"type":"message"`, `"message":{"role":"poet","content":"x"}`),
        entry("d", null, `"type":"constructor"`, `"x":1`),
      ),
    ).toEqual([
      `2 (89 bytes at 103) unknown-type of a: 2 entries have the type new_kind, this one first; ${effect}`,
      `4 (122 bytes at 283) unknown-type of c: an entry has the message role poet, this one first; ${effect}`,
      `5 (92 bytes at 406) unknown-type of d: an entry has the type constructor, this one first; ${effect}`,
    ]);
  });
});
