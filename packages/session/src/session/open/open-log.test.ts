import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HEADER, HEADER_LINE, header, line } from "../../../../../test/support/session-lines.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { openLog, peekHeader, readOnlySentence } from "./open-log.js";

function fileWith(text: string): string {
  const path = join(tempFolder(), "session.jsonl");
  writeFileSync(path, text);
  return path;
}

/** How a file is opened; only an upgrade creates files beside it. */
function opened(text: string, access: "read" | "write") {
  const path = fileWith(text);
  const { log, readOnly, backup } = openLog(path, { access });
  log.close();
  const isSame = readFileSync(path, "utf8") === text;
  return {
    writable: log.writable,
    readOnly,
    isSame,
    files: readdirSync(dirname(path)).length,
    backup: backup !== undefined,
  };
}

const plain = { isSame: true, files: 1, backup: false };
const asked = { kind: "asked" };

describe("a file is opened", () => {
  it.each([
    ["the current version", HEADER_LINE + line("a", null), { ...plain, writable: true, readOnly: undefined }],
    ["an empty file", "", { ...plain, writable: true, readOnly: undefined }],
    ["no header", line("a", null), { ...plain, writable: true, readOnly: undefined }],
    [
      "version 2",
      header({ version: 2 }),
      { writable: true, readOnly: undefined, isSame: false, files: 2, backup: true },
    ],
    [
      "no version",
      header({ version: undefined }),
      { writable: true, readOnly: undefined, isSame: false, files: 2, backup: true },
    ],
    [
      "version 4",
      header({ version: 4 }),
      { ...plain, writable: false, readOnly: { kind: "future-version", version: 4 } },
    ],
    [
      "version 3 as text",
      header({ version: "3" }),
      { ...plain, writable: false, readOnly: { kind: "future-version", version: "3" } },
    ],
    [
      "a late version 4",
      line("a", null).repeat(20) + header({ version: 4 }),
      { ...plain, writable: false, readOnly: { kind: "future-version", version: 4 } },
    ],
  ])("for writing: %s", (_, text, expected) => {
    expect(opened(text, "write")).toEqual(expected);
  });

  it.each([
    ["the current version", HEADER_LINE],
    ["version 2", header({ version: 2 })],
    ["no version", header({ version: undefined })],
    ["no header", line("a", null)],
    ["an empty file", ""],
  ])("for reading, without a trace: %s", (_, text) => {
    expect(opened(text, "read")).toEqual({ ...plain, writable: false, readOnly: asked });
  });

  it("for writing where there is none yet: it stays away until the first entry", () => {
    const path = join(tempFolder(), "none.jsonl");
    const { log, readOnly } = openLog(path, { access: "write" });
    expect([log.writable, readOnly, readdirSync(dirname(path))]).toEqual([true, undefined, []]);
  });
});

describe("what is not a file throws a code", () => {
  it.each([
    ["a folder", "is-directory", (path: string) => mkdirSync(path)],
    ["a pipe", "not-a-session", (path: string) => execFileSync("mkfifo", [path])],
    ["a device", "not-a-session", (path: string) => symlinkSync("/dev/zero", path)],
    ["a link to itself", "read-failed", (path: string) => symlinkSync(path, path)],
  ] as const)("%s: %s", (_, code, make) => {
    const path = join(tempFolder(), "odd");
    make(path);
    for (const access of ["read", "write"] as const) {
      expect(() => openLog(path, { access })).toThrow(expect.objectContaining({ name: "SessionError", code }));
    }
  });

  it("nothing, for reading", () => {
    const path = join(tempFolder(), "none");
    expect(() => openLog(path, { access: "read" })).toThrow(expect.objectContaining({ code: "session-not-found" }));
  });

  it("a file where a folder should be", () => {
    const path = join(fileWith(""), "session.jsonl");
    expect(() => openLog(path, { access: "write" })).toThrow(expect.objectContaining({ code: "read-failed" }));
  });
});

describe("a glance at the header", () => {
  it.each([
    ["on the first line", HEADER_LINE],
    ["behind a title and blank lines", `\n{"type":"title","title":"t"}\n\r\n${HEADER_LINE}`],
    ["behind a byte order mark", `\uFEFF${HEADER_LINE}`],
    ["with Windows line ends", HEADER_LINE.replace("\n", "\r\n")],
    ["without its newline", HEADER_LINE.trimEnd()],
  ])("finds it %s", (_, text) => {
    expect(peekHeader(fileWith(text))).toEqual(HEADER);
  });

  it.each([
    ["half a header", HEADER_LINE.slice(0, 50)],
    ["an entry", line("a", null)],
    ["nothing", ""],
    ["many lines", "\nx\n".repeat(20) + HEADER_LINE],
  ])("finds none in %s", (_, text) => {
    expect(peekHeader(fileWith(text))).toBeUndefined();
  });
});

it("says in a sentence why nothing can be written, and what to do", () => {
  expect(
    [asked, { kind: "future-version", version: 9 }, { kind: "no-header" }].map((reason) =>
      readOnlySentence(reason as Parameters<typeof readOnlySentence>[0]),
    ),
  ).toEqual([
    { message: "This session was opened read-only", hint: "Open it for writing." },
    {
      message: "This session was written in version 9 of the format, which is newer than this program",
      hint: "Update Bough to continue it; until then it is read-only.",
    },
    {
      message: "The header of this session is unreadable, so the session is read-only",
      hint: "Repair it into a new file, or fork from an entry.",
    },
  ]);
});
