import { describe, expect, it } from "vitest";
import { CountingLog } from "../../../../../test/support/counting-log.js";
import { brokenLine, HEADER, HEADER_LINE, line } from "../../../../../test/support/session-lines.js";
import { Kind, Role } from "../../entry/index.js";
import { SessionStore } from "../session-store.js";

function storeOf(text: string) {
  const log = new CountingLog(text);
  const store = new SessionStore(log, { header: HEADER, now: () => new Date(0) });
  const before = log.reads;
  return { store, reads: () => log.reads - before };
}

const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
const chain = (count: number, text = "") =>
  Array.from({ length: count }, (_, i) => line(`e${i}`, i === 0 ? null : `e${i - 1}`, { text }));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("entries that are neighbours in the log", () => {
  it("are read with one read", () => {
    const { store, reads } = storeOf(HEADER_LINE + chain(500).join(""));
    const entries = store.entriesAt(numbers(500));
    expect([ids(entries), reads()]).toEqual([numbers(500).map((n) => `e${n}`), 1]);
    expect(entries).toEqual(numbers(500).map((n) => JSON.parse(chain(500)[n] as string)));
    store.entriesAt(numbers(500));
    expect(reads()).toBe(1);
  });

  it("are read in pieces if there are many, and a long line alone", () => {
    const long = line("long", null, { text: "x".repeat(300_000) });
    const { store, reads } = storeOf(HEADER_LINE + chain(100, "x".repeat(10_000)).join("") + long);
    expect(ids(store.entriesAt(numbers(101)))).toEqual([...numbers(100).map((n) => `e${n}`), "long"]);
    // The leaf is the long line, which was read when the log was opened.
    expect(reads()).toBe(Math.ceil(100 / 12));
  });

  it("are read together also with lines of another branch between them, and apart where those are long", () => {
    const between = (size: number) =>
      chain(20).map((text, i) => text + line(`o${i}`, null, { text: "x".repeat(size) }));
    const close = storeOf(HEADER_LINE + between(100).join(""));
    expect(ids(close.store.entriesAt(numbers(20).map((n) => 2 * n)))).toEqual(numbers(20).map((n) => `e${n}`));
    const far = storeOf(HEADER_LINE + between(5000).join(""));
    far.store.entriesAt(numbers(20).map((n) => 2 * n));
    expect([close.reads(), far.reads()]).toEqual([1, 20]);
  });

  it("come in the order that was asked for, some of them from memory", () => {
    const { store, reads } = storeOf(HEADER_LINE + chain(10).join(""));
    store.entryAt(4);
    expect(ids(store.entriesAt([9, 8, 3, 4, 5, 5, 0]))).toEqual(["e9", "e8", "e3", "e4", "e5", "e5", "e0"]);
    expect(reads()).toBeLessThan(7);
  });

  it("cost one entry where a line is damaged, and name it", () => {
    const lines = chain(9);
    lines[4] = brokenLine("e4", "e3");
    const { store } = storeOf(HEADER_LINE + lines.join(""));
    expect(store.entriesAt(numbers(9)).map(({ type }) => type)).toEqual(
      numbers(9).map((n) => (n === 4 ? "unreadable" : "message")),
    );
    expect(store.index.problems.map(({ code, entryId }) => [code, entryId])).toEqual([["unreadable-entry", "e4"]]);
  });

  it("are found also where two records are joined on one line", () => {
    const lines = chain(6);
    lines[2] = (lines[2] as string).trimEnd();
    const { store } = storeOf(HEADER_LINE + lines.join(""));
    const known = store.entriesAt(numbers(store.tree.count));
    const all = store.entriesAt(numbers(store.tree.count));
    expect([ids(known).includes("e2"), ids(all).sort()]).toEqual([true, numbers(6).map((n) => `e${n}`)]);
  });

  it("have text of any alphabet, and ids too", () => {
    const text = HEADER_LINE + line("日本", null, { text: "né → 🌳" }) + line("b", "日本") + line("c", "b");
    const { store } = storeOf(text);
    expect(store.entriesAt([0, 1, 2])).toEqual(
      text
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((each) => JSON.parse(each)),
    );
  });
});

describe("a context", () => {
  const context = (store: SessionStore, leaf: number) =>
    store.contextAt(leaf).messages.map((message) => (message as { content: unknown }).content);

  it("reads what was appended when it is asked for again, and nothing when nothing was", () => {
    const { store, reads } = storeOf(HEADER_LINE + chain(300).join(""));
    expect([context(store, 299).length, reads()]).toEqual([300, 1]);
    expect([context(store, 299).length, reads()]).toEqual([300, 1]);
    store.append({
      id: "new",
      parentId: "e299",
      kind: Kind.message,
      role: Role.user,
      line: line("new", "e299").trimEnd(),
    });
    expect([context(store, 300).at(-1), context(store, 300).length]).toEqual(["new", 301]);
    expect(reads()).toBe(2);
  });

  it("is kept by the store that built it only: another index makes another context", () => {
    const { store } = storeOf(HEADER_LINE + chain(3).join(""));
    const first = store.contextAt(2);
    expect([
      first.messages === store.contextAt(2).messages,
      first.messages[0] === store.contextAt(2).messages[0],
    ]).toEqual([false, true]);
    store.close();
    expect(store.tree.count).toBe(3);
  });
});
