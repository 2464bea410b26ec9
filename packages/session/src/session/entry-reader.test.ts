import { describe, expect, it } from "vitest";
import { line } from "../../../../test/support/session-lines.js";
import type { SessionEntry } from "../entry/index.js";
import { EntryCache, entryIn, isSameId, unreadableEntry } from "./entry-reader.js";

const entry = (id: string) => JSON.parse(line(id, null)) as SessionEntry;

describe("the cache of entries", () => {
  it("gives the very object it was given, while there is room", () => {
    const cache = new EntryCache(1000);
    const one = entry("a");
    cache.set(1, one, 10);
    expect([cache.get(1, 10) === one, cache.get(2, 10)]).toEqual([true, undefined]);
  });

  it("never holds more than its budget", () => {
    const cache = new EntryCache(1000);
    for (let n = 0; n < 500; n++) {
      cache.set(n, entry(`${n}`), 10);
      let held = 0;
      for (let i = 0; i <= n; i++) if (cache.get(i, 10) !== undefined) held += 10;
      expect(held).toBeLessThanOrEqual(1000);
    }
  });

  it("keeps what is read again and again, and drops what is not", () => {
    const cache = new EntryCache(1000);
    const favourite = entry("favourite");
    cache.set(0, favourite, 10);
    for (let n = 1; n < 1000; n++) {
      cache.set(n, entry(`${n}`), 10);
      expect(cache.get(0, 10)).toBe(favourite);
    }
    expect([cache.get(1, 10), cache.get(999, 10)?.id]).toEqual([undefined, "999"]);
  });

  it("holds an entry that is larger than its budget until the next one", () => {
    const cache = new EntryCache(100);
    cache.set(0, entry("large"), 5000);
    expect(cache.get(0, 5000)?.id).toBe("large");
    cache.set(1, entry("a"), 10);
    cache.set(2, entry("b"), 90);
    expect(cache.get(0, 5000)).toBeUndefined();
  });

  it("is empty when it was cleared", () => {
    const cache = new EntryCache(100);
    cache.set(0, entry("a"), 10);
    cache.clear();
    expect(cache.get(0, 10)).toBeUndefined();
  });
});

describe("the entry in a line", () => {
  const bytes = Buffer.from(line("a", "b").trimEnd());

  it("is read where it is the expected one", () => {
    expect(entryIn(bytes, "a")).toEqual(JSON.parse(bytes.toString()));
  });

  it.each([
    ["another entry", bytes, "x"],
    ["half a line", bytes.subarray(0, 50), "a"],
    ["nothing", Buffer.alloc(0), "a"],
    ["a header", Buffer.from('{"type":"session","id":"a"}'), "a"],
  ])("is not read from %s", (_, text, id) => {
    expect(entryIn(text, id)).toBeUndefined();
  });
});

it("an unreadable entry says so, and where it is", () => {
  expect(unreadableEntry("a", "b")).toEqual({
    type: "unreadable",
    id: "a",
    parentId: "b",
    timestamp: "1970-01-01T00:00:00.000Z",
    reason: "the line of this entry is damaged",
  });
});

it("ids are the same when their bytes are", () => {
  expect([isSameId("a", "a"), isSameId("a", "b"), isSameId("\ud800a", "\ufffda")]).toEqual([true, false, true]);
});
