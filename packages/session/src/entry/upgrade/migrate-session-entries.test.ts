import { describe, expect, it } from "vitest";
import type { FileEntry } from "../entry.js";
import { parseSessionEntries } from "../parse-entries.js";
import { linearId } from "./linear-id.js";
import { migrateSessionEntries } from "./migrate-session-entries.js";

function entriesOf(...lines: readonly string[]): FileEntry[] {
  return parseSessionEntries(lines.join("\n"));
}

describe("migrateSessionEntries", () => {
  it("fills the caller's array and leaves the entries it came with alone", () => {
    const entries = entriesOf(
      '{"type":"session","id":"s","timestamp":"t"}',
      '{"type":"message","timestamp":"t1","message":{"role":"hookMessage","content":[{"type":"text","text":"x"}]}}',
      '{"type":"compaction","timestamp":"t2","firstKeptEntryIndex":1,"details":{"readFiles":["f"]}}',
    );
    const before = structuredClone(entries);
    const originals = [...entries];
    expect(migrateSessionEntries(entries)).toBe(entries);
    expect(entries).toEqual([
      { type: "session", version: 3, id: "s", timestamp: "t" },
      {
        type: "message",
        id: linearId("s", 1),
        parentId: null,
        timestamp: "t1",
        message: { role: "custom", content: [{ type: "text", text: "x" }] },
      },
      {
        type: "compaction",
        id: linearId("s", 2),
        parentId: linearId("s", 1),
        timestamp: "t2",
        firstKeptEntryId: linearId("s", 1),
        details: { readFiles: ["f"] },
      },
    ]);
    expect(originals).toEqual(before);
  });

  it("finds the header behind entries", () => {
    const entries = entriesOf('{"type":"custom","timestamp":"t"}', '{"type":"session","id":"s","timestamp":"t"}');
    expect(migrateSessionEntries(entries)).toEqual([
      { type: "custom", id: linearId("s", 0), parentId: null, timestamp: "t" },
      { type: "session", version: 3, id: "s", timestamp: "t" },
    ]);
  });

  it.each([
    ["version 3", '{"type":"session","version":3,"id":"s"}'],
    ["a later version", '{"type":"session","version":9,"id":"s"}'],
    ["no header", '{"type":"custom","id":"a"}'],
  ])("keeps the very objects of a file with %s", (_, first) => {
    const entries = entriesOf(first, '{"type":"custom"}');
    const objects = [...entries];
    migrateSessionEntries(entries);
    expect(entries.every((entry, at) => entry === objects[at])).toBe(true);
  });

  it("keeps __proto__ a plain property at every level", () => {
    const entries = entriesOf(
      '{"type":"session","id":"s","timestamp":"t"}',
      '{"type":"message","timestamp":"t","__proto__":{"a":1},"message":{"role":"hookMessage","__proto__":{"b":2}}}',
    );
    migrateSessionEntries(entries);
    expect(JSON.stringify(entries[1])).toBe(
      `{"type":"message","id":"${linearId("s", 1)}","parentId":null,"timestamp":"t","__proto__":{"a":1},"message":{"role":"custom","__proto__":{"b":2}}}`,
    );
    expect(Object.getPrototypeOf(entries[1])).toBe(Object.prototype);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  it("copies a value nested 10,000 deep unchanged", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const entries = entriesOf('{"type":"session","id":"s"}', `{"type":"dream","timestamp":"t","deep":${deep}}`);
    const value = (entries[1] as { deep?: unknown }).deep;
    migrateSessionEntries(entries);
    expect(Object.keys(entries[1] ?? {})).toEqual(["type", "id", "parentId", "timestamp", "deep"]);
    expect((entries[1] as { deep?: unknown }).deep).toBe(value);
  });
});
