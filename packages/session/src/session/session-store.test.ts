import { describe, expect, it } from "vitest";
import { CountingLog } from "../../../../test/support/counting-log.js";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { brokenLine, HEADER, HEADER_LINE, line } from "../../../../test/support/session-lines.js";
import { Kind, Role, SessionError } from "../entry/index.js";
import { SessionStore } from "./session-store.js";

function storeOf(text: string, cacheBytes?: number) {
  const log = new CountingLog(text);
  const options = { header: HEADER, now: () => new Date(0), ...(cacheBytes === undefined ? {} : { cacheBytes }) };
  return { log, store: new SessionStore(log, options) };
}

function newLine(id: string, parentId: string | null) {
  return { id, parentId, kind: Kind.message, role: Role.user, line: line(id, parentId).trimEnd() };
}

const texts = (store: SessionStore) =>
  Array.from({ length: store.tree.count }, (_, n) => store.entryAt(n).id).join(" ");

describe("a store", () => {
  it("writes the header with the first entry, in one write", () => {
    const { log, store } = storeOf("");
    store.append(newLine("a", null));
    store.append(newLine("b", "a"));
    expect([log.writes, log.text()]).toEqual([2, HEADER_LINE + line("a", null) + line("b", "a")]);
  });

  it("reads an entry once while it is cached, and again when it is not", () => {
    const { log, store } = storeOf(HEADER_LINE + line("a", null) + line("b", "a"));
    const before = log.reads;
    const first = store.entryAt(0);
    expect([store.entryAt(0) === first, log.reads - before]).toEqual([true, 1]);
    const small = storeOf(HEADER_LINE + ["a", "b", "c"].map((id) => line(id, null)).join(""), 10);
    for (const n of [0, 1, 2]) small.store.entryAt(n);
    const reads = small.log.reads;
    expect([small.store.entryAt(0).id, small.log.reads - reads]).toEqual(["a", 1]);
  });

  it("hands out lines byte for byte", () => {
    const odd = '{"type":"dream" , "id":"a","parentId":null,"timestamp":"t","n":1e-05,"big":12345678901234567890}';
    const { store } = storeOf(`${HEADER_LINE}${odd}\r\n`);
    expect([store.rawAt(0).toString(), store.entryAt(0).type]).toEqual([`${odd}\r`, "dream"]);
  });

  it("is opened at the price of one scan and one line where the log is in order", () => {
    const entries = Array.from({ length: 5000 }, (_, i) => line(`${i}`, i === 0 ? null : `${i - 1}`));
    const { log } = storeOf(HEADER_LINE + entries.join(""));
    expect([log.scans, log.reads]).toEqual([1, 1]);
  });

  it("takes the name given last, and titles where there is none", () => {
    const name = (id: string, fields: object) => line(id, null, { message: undefined, ...fields });
    const info = name("a", { type: "session_info", name: "first" }) + name("b", { type: "session_info", name: " " });
    const title = '{"type":"title","title":"slot"}\n';
    expect([
      storeOf(HEADER_LINE + info).store.name(),
      storeOf(HEADER_LINE + info + name("c", { type: "title_change", title: "second" })).store.name(),
      storeOf(title + HEADER_LINE).store.name(),
      storeOf(`${JSON.stringify({ ...HEADER, title: "in the header" })}\n`).store.name(),
      storeOf(HEADER_LINE).store.name(),
    ]).toEqual(["first", "second", "slot", "in the header", undefined]);
  });
});

describe("entries that could not be written", () => {
  const full = new SessionError("disk-full", "full");

  it("wait in order, can be read, and are written before the next", () => {
    const { log, store } = storeOf(HEADER_LINE + line("a", null));
    log.writeFault = full;
    expect(() => store.append(newLine("b", "a"))).toThrow(
      expect.objectContaining({ code: "disk-full", data: { entryId: "b", waiting: 1 } }),
    );
    expect(() => store.append(newLine("c", "b"))).toThrow(
      expect.objectContaining({ data: { entryId: "c", waiting: 2 } }),
    );
    expect([store.waiting, texts(store), store.rawAt(2).toString()]).toEqual([2, "a b c", line("c", "b").trimEnd()]);
    log.writeFault = undefined;
    store.append(newLine("d", "c"));
    const expected = HEADER_LINE + line("a", null) + line("b", "a") + line("c", "b") + line("d", "c");
    expect([store.waiting, log.text(), texts(store)]).toEqual([0, expected, "a b c d"]);
  });

  it("are written by flush, with the header where there was none", () => {
    const { log, store } = storeOf("");
    log.writeFault = full;
    expect(() => store.append(newLine("a", null))).toThrow(full.message);
    expect([log.text(), store.header]).toEqual(["", HEADER]);
    log.writeFault = undefined;
    store.flush();
    store.flush();
    expect(log.text()).toBe(HEADER_LINE + line("a", null));
  });

  it("stay when flush fails too", () => {
    const { log, store } = storeOf(HEADER_LINE);
    log.writeFault = full;
    expect(() => store.append(newLine("a", null))).toThrow();
    expect(() => store.flush()).toThrow(expect.objectContaining({ code: "disk-full" }));
    expect([store.waiting, texts(store)]).toEqual([1, "a"]);
  });
});

describe("a damaged log costs what its length costs", () => {
  /** The log operations needed to open it, read every entry and list every problem. */
  function cost(text: string) {
    const { log, store } = storeOf(text);
    const opened = { scans: log.scans, reads: log.reads };
    for (let n = 0; n < store.tree.count; n++) store.entryAt(n);
    const problems = store.index.problems.length;
    return { opened, all: { scans: log.scans, reads: log.reads }, problems, entries: store.tree.count };
  }

  const many = (count: number, lineOf: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => lineOf(i)).join("");
  const LOGS: Readonly<Record<string, (count: number) => string>> = {
    orphans: (count) => many(count, (i) => line(`e${i}`, `gone${i}`)),
    "lines that are no JSON": (count) => many(count, () => "what?\n") + line("a", null),
    "broken entries in a chain": (count) => many(count, (i) => brokenLine(`e${i}`, i === 0 ? null : `e${i - 1}`)),
    "broken entries under one parent": (count) => line("a", null) + many(count, (i) => brokenLine(`e${i}`, "a")),
    "broken entries and orphans": (count) => many(count, (i) => brokenLine(`e${i}`, null) + line(`o${i}`, `gone${i}`)),
    "broken state changes": (count) =>
      line("a", null) +
      many(count, (i) => brokenLine(`e${i}`, "a").replace('"type":"message"', '"type":"mode_change"')),
    "joined records in a chain": (count) =>
      many(count, (i) => line(`a${i}`, i === 0 ? null : `b${i - 1}`).trimEnd() + line(`b${i}`, `a${i}`)),
    "joined records that nothing hangs under": (count) =>
      many(count, (i) => line(`a${i}`, i === 0 ? null : `a${i - 1}`).trimEnd() + line(`b${i}`, `a${i}`)) +
      line("last", "a0"),
    "broken lines that were written again": (count) =>
      many(count, (i) => brokenLine(`e${i}`, null) + line(`e${i}`, null)),
    duplicates: (count) => line("a", null) + many(count, (i) => line("a", null, { more: i })),
    "parents that come later": (count) => many(count, (i) => line(`e${i}`, i === count - 1 ? null : `e${i + 1}`)),
  };

  const LINES = sampledRuns({ all: 500, some: 200 });

  it.each(Object.keys(LOGS))("%s", (kind) => {
    const make = LOGS[kind] as (count: number) => string;
    const [small, large] = [cost(HEADER_LINE + make(LINES)), cost(HEADER_LINE + make(8 * LINES))];
    expect(large.opened.scans).toBe(small.opened.scans);
    expect(large.all.scans).toBe(small.all.scans);
    expect(large.all.scans).toBeLessThan(8);
    // Eight times the lines: at most eight times the reads, plus a few that do not depend on the length.
    expect(large.all.reads).toBeLessThanOrEqual(small.all.reads * 8 + 8);
    expect(large.entries).toBeGreaterThanOrEqual(small.entries);
  });

  const MANY = sampledRuns({ all: 60_000, some: 3_000 });

  it("thousands of orphans and of broken lines are all named", () => {
    const broken = many(MANY, (i) => brokenLine(`b${i}`, null));
    const found = cost(HEADER_LINE + broken + (LOGS.orphans as (count: number) => string)(4000));
    expect([found.problems, found.entries, found.all.scans < 8]).toEqual([MANY + 4000, MANY + 4000, true]);
  });

  it.each([
    ["broken entries in a chain", undefined],
    ["joined records in a chain", `b${MANY - 1}`],
    ["broken lines that were written again", `e${MANY - 1}`],
  ])("%s, thousands of them: a pass over all for each one would never end", (kind, leaf) => {
    const make = LOGS[kind] as (count: number) => string;
    const { log, store } = storeOf(HEADER_LINE + make(MANY));
    for (let n = 0; n < store.tree.count; n++) store.entryAt(n);
    expect([log.scans < 8, store.index.problems.length]).toEqual([true, MANY]);
    const last = store.tree.loadedLeaf < 0 ? undefined : store.tree.ids.textOf(store.tree.loadedLeaf);
    expect(last).toBe(leaf);
  });
});
