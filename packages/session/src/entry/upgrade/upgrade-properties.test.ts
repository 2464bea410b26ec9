/** What holds for every upgrade, over files composed of all old dialects and of damage. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileEntry } from "../entry.js";
import { parseRecord, parseSessionEntries } from "../parse-entries.js";
import { rawFields } from "../raw-fields.js";
import { createUpgrade } from "./create-upgrade.js";
import { migrateSessionEntries } from "./migrate-session-entries.js";

type Fields = readonly (readonly [string, string])[];

const name = fc.constantFrom("a", "b", "c", "d", "root", "s");
const quoted = name.map((text) => JSON.stringify(text));
const link = fc.oneof(quoted, fc.constant("null"));
const time: fc.Arbitrary<Fields> = fc.constant([["timestamp", '"2025-01-01T00:00:00.000Z"']]);

/** Fields that no dialect knows, with values that parsing and reserializing would change. */
const UNKNOWN_KEYS: ReadonlySet<string> = new Set(["x", "xy", "__proto__", "toString"]);
const unknown = fc.array(
  fc.tuple(
    fc.constantFrom('"x"', '"\\u0078y"', '"__proto__"', '"toString"'),
    fc.constantFrom("1e-05", "12345678901234567890", '"\\u00e9"', '[ 1,{"id":"in"} ]', '{"b": "}\\""}'),
  ),
  { maxLength: 3 },
);

const place: fc.Arbitrary<Fields> = fc.oneof(
  fc.constant([]),
  fc.tuple(quoted, link).map(
    ([id, parent]) =>
      [
        ["id", id],
        ["parentId", parent],
      ] as const,
  ),
  fc.tuple(quoted, link).map(
    ([id, parent]) =>
      [
        ["uuid", id],
        ["parentUuid", parent],
      ] as const,
  ),
  quoted.map((id) => [["id", id]] as const),
);

const content: fc.Arbitrary<Fields> = fc.oneof(
  fc.constantFrom("user", "hookMessage").map(
    (role) =>
      [
        ["type", '"message"'],
        ["message", `{"role":"${role}"}`],
      ] as const,
  ),
  fc.integer({ min: -1, max: 9 }).map(
    (at) =>
      [
        ["type", '"compaction"'],
        ["firstKeptEntryIndex", `${at}`],
      ] as const,
  ),
  quoted.map(
    (id) =>
      [
        ["type", '"compaction"'],
        ["firstKeptEntryUuid", id],
      ] as const,
  ),
  fc.constantFrom("stack_summary", "branch_summary", "dream").map((type) => [["type", JSON.stringify(type)]] as const),
);

interface SampleLine {
  readonly text: string;
  /** The pairs that must come through untouched and in this order. */
  readonly unknown: readonly string[];
  readonly readable: boolean;
}

function shuffled<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length });
}

const entryLine: fc.Arbitrary<SampleLine> = fc
  .tuple(place, content, fc.oneof(time, fc.constant([])), unknown)
  .chain(([place, content, time, unknown]) => {
    const known = [...place, ...content, ...time].map(([key, value]) => `${JSON.stringify(key)}:${value}`);
    const pairs = unknown.map(([key, value]) => `${key}: ${value}`);
    return shuffled(known).map((first) => ({
      text: `{${[...first, ...pairs].join(", ")}}`,
      unknown: pairs,
      readable: true,
    }));
  });
const damagedLine: fc.Arbitrary<SampleLine> = fc
  .constantFrom("", "{", "7", "[]", "{}", '{"type":"custom","id":7}')
  .map((text) => ({ text, unknown: [], readable: false }));
const oldHeader = fc.constantFrom(
  '{"type":"session","id":"s"}',
  '{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z","branchedFrom":"/x","version":1}',
  '{"type":"session","version":2,"id":"s","timestamp":"2025-01-01T00:00:00.000Z"}',
  '{"type":"session","version":2,"uuid":"root","parentUuid":null,"id":"s"}',
);
const oldFile = fc.tuple(
  oldHeader,
  fc.array(fc.oneof({ weight: 4, arbitrary: entryLine }, damagedLine), { maxLength: 12 }),
);

function upgrade(lines: readonly string[]): string[] {
  const upgrade = createUpgrade();
  return lines.map((text) => upgrade.upgradeLine(text));
}

function unknownPairs(text: string): string[] {
  const fields = rawFields(text) ?? [];
  return fields.filter(({ key }) => UNKNOWN_KEYS.has(key)).map(({ start, end }) => text.slice(start, end));
}

describe("any file of version 1 or 2", () => {
  it("is the same after a second upgrade, and after a second run of the first", () => {
    fc.assert(
      fc.property(oldFile, ([header, samples]) => {
        const lines = [header, ...samples.map(({ text }) => text)];
        const once = upgrade(lines);
        expect(upgrade(once)).toEqual(once);
        expect(upgrade(lines)).toEqual(once);
      }),
    );
  });

  it("keeps every line: readable ones become entries with their unknown bytes, damaged ones stay", () => {
    fc.assert(
      fc.property(oldFile, ([header, samples]) => {
        const [first, ...rest] = upgrade([header, ...samples.map(({ text }) => text)]);
        expect(parseRecord(first ?? "")).toMatchObject({ kind: "header", header: { version: 3, id: "s" } });
        expect(rest.length).toBe(samples.length);
        for (const [at, sample] of samples.entries()) {
          const text = rest[at] ?? "";
          if (sample.readable) {
            expect(parseRecord(text).kind).toBe("entry");
            expect(unknownPairs(text)).toEqual(sample.unknown);
          } else expect(text).toBe(sample.text);
        }
      }),
    );
  });

  it("means the same upgraded as text and upgraded as objects", () => {
    fc.assert(
      fc.property(oldFile, ([header, samples]) => {
        const typed = [header, ...samples.map(({ text }) => text)].filter(
          (text) => parseSessionEntries(text).length > 0,
        );
        const objects: FileEntry[] = parseSessionEntries(typed.join("\n"));
        expect(migrateSessionEntries(objects)).toBe(objects);
        expect(objects).toEqual(parseSessionEntries(upgrade(typed).join("\n")));
      }),
    );
  });
});
