import { describe, expect, it } from "vitest";
import { parseRecord, parseSessionEntries } from "./parse-entries.js";

const HEADER = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/w" };
const ENTRY = { type: "custom", id: "a", parentId: null, timestamp: "2026-01-01T00:00:01.000Z", customType: "t" };

describe("parseRecord", () => {
  it("distinguishes header, title and entry", () => {
    const title = { type: "title", v: 1, title: "Refactor", pad: "   " };
    expect(parseRecord(JSON.stringify(HEADER))).toEqual({ kind: "header", header: HEADER });
    expect(parseRecord(JSON.stringify(title))).toEqual({ kind: "title", title });
    expect(parseRecord(JSON.stringify(ENTRY))).toEqual({ kind: "entry", entry: ENTRY });
  });

  it("keeps types and fields it does not know", () => {
    const entry = { type: "dream", id: "d", parentId: "a", colour: { red: [1] } };
    expect(parseRecord(JSON.stringify(entry))).toEqual({ kind: "entry", entry });
  });

  it("takes an entry of type title that has an id for an entry", () => {
    const entry = { type: "title", id: "a", parentId: null };
    expect(parseRecord(JSON.stringify(entry))).toEqual({ kind: "entry", entry });
  });

  it("reads a missing parent as null", () => {
    expect(parseRecord('{"type":"custom","id":"a"}')).toEqual({
      kind: "entry",
      entry: { type: "custom", id: "a", parentId: null },
    });
  });

  it("accepts a byte order mark and a carriage return", () => {
    expect(parseRecord(`\uFEFF${JSON.stringify(HEADER)}\r`)).toEqual({ kind: "header", header: HEADER });
  });

  it.each([
    ["", "not-json"],
    ["{", "not-json"],
    ['{"type":"custom","id":"a"}{"type":"custom","id":"b"}', "not-json"],
    ["\0\0\0", "not-json"],
    ["null", "not-an-object"],
    ["42", "not-an-object"],
    ['[{"type":"custom"}]', "not-an-object"],
    ["{}", "no-type"],
    ['{"type":1,"id":"a"}', "no-type"],
    ['{"kind":"header","version":4,"id":"x"}', "no-type"],
    ['{"type":"custom"}', "no-id"],
    ['{"type":"session"}', "no-id"],
    ['{"type":"custom","id":""}', "bad-id"],
    ['{"type":"custom","id":7}', "bad-id"],
    ['{"type":"session","id":null}', "bad-id"],
    ['{"type":"custom","id":"a","parentId":7}', "bad-parent"],
    ['{"type":"custom","id":"a","parentId":{"id":"b"}}', "bad-parent"],
  ])("gives the reason for %j", (text, reason) => {
    expect(parseRecord(text)).toEqual({ kind: "bad", reason });
  });

  it("leaves prototypes alone, whatever the keys", () => {
    const parsed = parseRecord(
      '{"type":"custom","__proto__":{"id":"evil","polluted":1},"id":"a","constructor":{"prototype":{"polluted":1}}}',
    );
    if (parsed.kind !== "entry") throw new Error("expected an entry");
    expect(Object.getPrototypeOf(parsed.entry)).toBe(Object.prototype);
    expect(Object.keys(parsed.entry)).toEqual(["type", "__proto__", "id", "constructor", "parentId"]);
    expect(Object.getOwnPropertyDescriptor(parsed.entry, "__proto__")?.value).toEqual({ id: "evil", polluted: 1 });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("finds no id in a __proto__", () => {
    expect(parseRecord('{"type":"custom","__proto__":{"id":"evil"}}')).toEqual({ kind: "bad", reason: "no-id" });
  });
});

describe("parseSessionEntries", () => {
  it("gives header and entries and leaves out what is neither", () => {
    const lines = [
      '{"type":"title","v":1,"title":"x"}',
      JSON.stringify(HEADER),
      "",
      "   ",
      "not json",
      "7",
      "[]",
      '{"id":"no type"}',
      JSON.stringify(ENTRY),
      '{"type":"custom","id":"torn',
    ];
    expect(parseSessionEntries(lines.join("\n"))).toEqual([HEADER, ENTRY]);
  });

  it("reads version 1, where entries have no ids, unchanged", () => {
    expect(parseSessionEntries('{"type":"session","id":"s"}\n{"type":"message","message":{}}\n')).toEqual([
      { type: "session", id: "s" },
      { type: "message", message: {} },
    ]);
  });

  it("accepts a byte order mark, Windows lines and a last line without an end", () => {
    expect(parseSessionEntries(`\uFEFF${JSON.stringify(HEADER)}\r\n\r\n${JSON.stringify(ENTRY)}`)).toEqual([
      HEADER,
      ENTRY,
    ]);
  });

  it("ends lines at newlines only, not at other separators Unicode knows", () => {
    const entry = { ...ENTRY, data: "a\u2028b\u0085c" };
    expect(parseSessionEntries(JSON.stringify(entry))).toEqual([entry]);
  });

  it("returns nothing for an empty text", () => {
    expect(parseSessionEntries("")).toEqual([]);
  });

  it("reads a nesting of 10,000", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const [entry] = parseSessionEntries(`{"type":"custom","id":"a","parentId":null,"customType":"t","data":${deep}}`);
    let depth = 0;
    for (let at = (entry as { data?: unknown }).data; Array.isArray(at); at = at[0]) depth++;
    expect(depth).toBe(10_000);
  });
});
