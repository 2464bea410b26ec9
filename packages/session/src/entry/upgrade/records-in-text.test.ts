import { describe, expect, it } from "vitest";
import { createUpgrade } from "./create-upgrade.js";
import { recordsInText } from "./records-in-text.js";

const TIME = "2025-11-01T00:00:00.000Z";
const said = (content: unknown, more: object = {}) =>
  JSON.stringify({ type: "message", ...more, timestamp: TIME, message: { role: "user", content } });

describe("records in a text", () => {
  it("are the whole ones, and not what is inside them", () => {
    const [one, two] = [said('"quoted" {"type":"message","timestamp":"x"}'), said([{ type: "text", text: "}{" }])];
    const text = `${one.slice(0, 50)}${one}\u0000${two}`;
    expect(recordsInText(text).map(({ start, end }) => text.slice(start, end))).toEqual([one, two]);
  });

  it("are none where only content blocks are whole, or nothing is", () => {
    const cut = said([
      { type: "text", text: "a" },
      { type: "custom", timestamp: 1 },
    ]).slice(0, -1);
    expect([recordsInText(cut), recordsInText("nothing"), recordsInText('{"type":"')]).toEqual([[], [], []]);
  });

  it("are not searched for forever in a text of nothing but starts", () => {
    expect(recordsInText('{"type":"'.repeat(100_000))).toEqual([]);
  });
});

describe("upgrading a line with several records", () => {
  const upgraded = (lines: readonly string[]) => {
    const upgrade = createUpgrade();
    return lines.map((line) => upgrade.upgradeLine(line));
  };
  const header = (more: object) => JSON.stringify({ type: "session", id: "s", timestamp: TIME, cwd: "/p", ...more });
  const placesIn = (line: string) =>
    recordsInText(line).map(({ record }) => [record.id, record.parentId] as [string, string | null]);

  it("of version 1 chains them between their neighbours, and later lines keep their ids", () => {
    const [a, b, c, d] = [said("a"), said("b"), said("c"), said("d")] as [string, string, string, string];
    const stump = b.slice(0, 30);
    const [, first, joined, last] = upgraded([header({}), a, stump + b + c, d]) as [string, string, string, string];
    const [[idA] = []] = placesIn(first);
    const within = placesIn(joined);
    expect(joined.startsWith(stump)).toBe(true);
    expect(within.map(([, parentId]) => parentId)).toEqual([idA, within[0]?.[0]]);
    expect(placesIn(last)).toEqual([
      [placesIn(upgraded([header({}), a, stump, d])[3] as string)[0]?.[0], within[1]?.[0]],
    ]);
    const ids = [first, joined, last].flatMap(placesIn).map(([id]) => id);
    expect(new Set(ids).size).toBe(4);
  });

  it("with uuids keeps those as ids", () => {
    const line = said("a", { uuid: "aaaa", parentUuid: "root" }) + said("b", { uuid: "bbbb", parentUuid: "aaaa" });
    const [, joined] = upgraded([header({ version: 2, uuid: "root" }), line]) as [string, string];
    expect(placesIn(joined)).toEqual([
      ["aaaa", null],
      ["bbbb", "aaaa"],
    ]);
  });

  it("changes nothing the second time", () => {
    const lines = [header({}), said("a") + said("b"), said("c")];
    const once = upgraded(lines);
    expect(upgraded(once)).toEqual(once);
  });
});
