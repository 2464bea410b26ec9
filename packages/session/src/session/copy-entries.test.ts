import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CountingLog } from "../../../../test/support/counting-log.js";
import { breakFiles, mendFiles, systemError } from "../../../../test/support/file-faults.js";
import { brokenLine, HEADER, HEADER_LINE, line, positionLine } from "../../../../test/support/session-lines.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { readableIds } from "../../../../test/support/tree-notation.js";
import { allLines, pathLines, writeSessionFile } from "./copy-entries.js";
import { SessionStore } from "./session-store.js";

const label = (id: string, parentId: string | null, targetId: string, text?: string) =>
  line(id, parentId, { type: "label", message: undefined, targetId, label: text });
const compaction = (id: string, parentId: string | null, firstKeptEntryId: string) =>
  line(id, parentId, { type: "compaction", message: undefined, summary: "s", firstKeptEntryId, tokensBefore: 1 });

function storeOf(...lines: readonly string[]): SessionStore {
  return new SessionStore(new CountingLog(HEADER_LINE + lines.join("")), { header: HEADER, now: () => new Date(0) });
}

/** The lines of the fork at an entry. */
function forked(store: SessionStore, leaf: string): string[] {
  const context = { now: () => new Date(0), newId: readableIds("new").next };
  return Array.from(pathLines(store, store.tree.ids.findText(leaf), context), String);
}

describe("the lines of a fork", () => {
  it("are the path byte for byte, whatever the lines look like", () => {
    const odd = '{"type":"dream" ,"id":"b","parentId":"a","timestamp":"t","n":1e-05,"x":"\\u00e9"}\n';
    const store = storeOf(line("a", null), odd, line("c", "b"), line("other", "a"));
    expect(forked(store, "c")).toEqual([line("a", null), odd, line("c", "b")]);
  });

  it("omit labels and positions, and attach the next entry to their parent", () => {
    const store = storeOf(line("a", null), label("l", "a", "a", "start"), positionLine("p", "l"), line("b", "l"));
    expect(forked(store, "b")).toEqual([
      line("a", null),
      line("b", "a"),
      line("new1", "b", { type: "label", message: undefined, targetId: "a", label: "start" }),
    ]);
  });

  it("have the labels of the path, as they were set last, with their time", () => {
    const store = storeOf(
      line("a", null),
      line("b", "a"),
      line("aside", "a"),
      label("l1", "b", "a", "old"),
      label("l2", "b", "a", "new"),
      label("l3", "b", "aside", "elsewhere"),
      label("l4", "b", "b", "cleared"),
      label("l5", "b", "b"),
      label("l6", "b", "l1", "on a label"),
    );
    expect(forked(store, "b")).toEqual([line("a", null), line("b", "a"), label("new1", "b", "a", "new")]);
  });

  it.each([
    ["a label", [line("a", null), label("l", "a", "a", "x"), line("b", "l"), compaction("k", "b", "l")], "b"],
    [
      "the last label before it",
      [line("a", null), line("b", "a"), label("l", "b", "a"), compaction("k", "l", "l")],
      "k",
    ],
    ["an unreadable entry", [line("a", null), brokenLine("x", "a"), line("b", "x"), compaction("k", "b", "x")], "b"],
  ])("keep a compaction's anchor valid when it was %s", (_, lines, anchor) => {
    const store = storeOf(...lines);
    for (let n = 0; n < store.tree.count; n++) store.entryAt(n);
    const copied = forked(store, "k").map((text) => JSON.parse(text) as { id: string; firstKeptEntryId?: string });
    expect(copied.find(({ id }) => id === "k")?.firstKeptEntryId).toBe(anchor);
  });

  it("keep an anchor as it is when it was never above the compaction", () => {
    const lines = [line("a", null), compaction("k", "a", "nowhere")];
    expect(forked(storeOf(...lines), "k")).toEqual(lines);
  });

  it("start with a root where the parent was missing", () => {
    expect(forked(storeOf(line("b", "gone"), line("c", "b")), "c")).toEqual([line("b", null), line("c", "b")]);
  });

  it("keep bytes that are not UTF-8 where only the parent changes", () => {
    const store = storeOf(line("a", null), label("l", "a", "a"), line("bé", "l"));
    expect(forked(store, "bé")).toEqual([line("a", null), line("bé", "a")]);
  });
});

it("all lines of a session are the readable entries in the order of the file", () => {
  const lines = [line("b", "a"), line("a", null), label("l", "b", "a", "x"), line("c", "gone")];
  const store = storeOf(lines[0] ?? "", brokenLine("x", "a"), ...lines.slice(1));
  expect(Array.from(allLines(store), String)).toEqual(lines);
});

describe("a new session file", () => {
  it("is there whole, for the owner alone, in a folder for the owner alone", () => {
    const path = join(tempFolder(), "new", "session.jsonl");
    writeSessionFile(
      path,
      HEADER,
      [line("a", null), line("b", "a")].map((text) => Buffer.from(text)),
    );
    expect(readFileSync(path, "utf8")).toBe(HEADER_LINE + line("a", null) + line("b", "a"));
    expect([path, dirname(path)].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(path))).toEqual(["session.jsonl"]);
  });

  it.each([
    ["the disk is full", "writeSync", "ENOSPC", "disk-full"],
    ["the disk fails", "renameSync", "EIO", "write-failed"],
  ] as const)("is not there at all when %s", (_, call, systemCode, code) => {
    const path = join(tempFolder(), "session.jsonl");
    breakFiles(call, () => {
      throw systemError(systemCode);
    });
    expect(() => writeSessionFile(path, HEADER, [])).toThrow(
      expect.objectContaining({ name: "SessionError", code, data: { path, systemCode } }),
    );
    mendFiles();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("is not there at all when its lines cannot be read", () => {
    const path = join(tempFolder(), "session.jsonl");
    const lines = function* (): Generator<Buffer> {
      yield Buffer.from(line("a", null));
      throw new Error("lost");
    };
    expect(() => writeSessionFile(path, HEADER, lines())).toThrow(expect.objectContaining({ name: "SessionError" }));
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});
