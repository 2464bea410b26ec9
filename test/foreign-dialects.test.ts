/** Session files that other programs of the family wrote, through the upgrade. They are read where they are. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseRecord, type SessionEntry, type SessionHeader } from "@bough/session/entry/index.js";
import { createUpgrade, rawFields } from "@bough/session/entry/internal.js";
import { describe, expect, it } from "vitest";

const fixtures = process.env.BOUGH_FIXTURES ?? fileURLToPath(new URL("../../shared/fixtures", import.meta.url));
const folders = ["foreign/pi", "foreign/oh-my-pi"];
const missing = folders.filter((folder) => !existsSync(join(fixtures, folder)));
const files = folders
  .filter((folder) => !missing.includes(folder))
  .flatMap((folder) => readdirSync(join(fixtures, folder)).map((name) => join(folder, name)))
  .filter((path) => path.endsWith(".jsonl"));

interface Sample {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly header: SessionHeader;
  /** By line, so that lines before and after can be compared. */
  readonly entries: ReadonlyMap<number, SessionEntry>;
}

function sampleOf(path: string): Sample {
  const before = readFileSync(join(fixtures, path), "utf8").split("\n");
  const upgrade = createUpgrade();
  const after = before.map((line) => upgrade.upgradeLine(line));
  const entries = new Map<number, SessionEntry>();
  let header: SessionHeader | undefined;
  for (const [at, line] of after.entries()) {
    const record = parseRecord(line);
    if (record.kind === "header") header ??= record.header;
    if (record.kind === "entry") entries.set(at, record.entry);
  }
  if (header === undefined) throw new Error(`no header in ${path}`);
  return { before, after, header, entries };
}

function isObject(line: string): boolean {
  return rawFields(line) !== undefined;
}

/** The bytes of every field an upgrade does not touch. */
function untouched(line: string): string[] {
  const touched = new Set([
    "id",
    "parentId",
    "timestamp",
    "type",
    "version",
    "message",
    "branchedFrom",
    "parentSession",
  ]);
  touched.add("firstKeptEntryIndex").add("firstKeptEntryId");
  const fields = rawFields(line) ?? [];
  return fields.filter(({ key }) => !touched.has(key)).map(({ start, end }) => line.slice(start, end));
}

describe("foreign session files", () => {
  const presence = missing.length > 0 ? "foreign samples are not here: set BOUGH_FIXTURES" : "foreign samples are here";
  it.skipIf(missing.length > 0)(presence, () => {
    expect(files.length).toBeGreaterThan(0);
  });

  describe.each(files)("%s", (path) => {
    it("becomes version 3 with every record readable and nothing else changed", () => {
      const { before, after, header, entries } = sampleOf(path);
      expect(header.version).toBe(3);
      const records = before.filter((line) => isObject(line) && !line.startsWith('{"type":"title"')).length;
      expect(entries.size).toBe(records - 1);
      expect(after.map(untouched)).toEqual(before.map(untouched));
      expect(after.filter((line) => !isObject(line))).toEqual(before.filter((line) => !isObject(line)));
    });

    it("does not change when upgraded again", () => {
      const { after } = sampleOf(path);
      const upgrade = createUpgrade();
      expect(after.map((line) => upgrade.upgradeLine(line))).toEqual(after);
    });

    it("keeps its lines where it is version 3 already", () => {
      const { before, after } = sampleOf(path);
      const isCurrent = before.some((line) => line.includes('"version":3'));
      expect(after.every((line, at) => line === before[at])).toBe(isCurrent);
    });
  });

  describe.each(files.filter((path) => path.includes("v1-")))("%s", (path) => {
    it("becomes one straight line", () => {
      const entries = [...sampleOf(path).entries.values()];
      expect(entries.map((entry) => entry.parentId)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.id)]);
      expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
    });

    it("has its compactions anchored at the records their indexes named", () => {
      const { before, entries } = sampleOf(path);
      // Neither file has a blank or unreadable line in the middle, so the line number is the ordinal.
      const named = before.flatMap((line) => /"firstKeptEntryIndex":(\d+)/.exec(line)?.[1] ?? []);
      const compactions = [...entries.values()].filter((entry) => entry.type === "compaction");
      expect(compactions.length).toBeGreaterThan(0);
      expect(compactions.map((entry) => entry.firstKeptEntryId)).toEqual(
        named.map((index) => entries.get(Number(index))?.id),
      );
    });
  });

  it.skipIf(missing.length > 0)("has the two compactions of the long version 1 sample where they belong", () => {
    const { entries } = sampleOf("foreign/pi/v1-before-compaction.jsonl");
    const compactions = [...entries].filter(([, entry]) => entry.type === "compaction");
    expect(compactions.map(([line, entry]) => [line, "firstKeptEntryId" in entry && entry.firstKeptEntryId])).toEqual([
      [359, entries.get(293)?.id],
      [628, entries.get(551)?.id],
    ]);
  });

  it.skipIf(missing.length > 0)("has no hookMessage left in the version 2 sample", () => {
    const { before, after, entries } = sampleOf("foreign/pi/synthetic-v2-hookmessage.jsonl");
    expect(after.slice(1)).toEqual(
      before.slice(1).map((line) => line.replace('"role":"hookMessage"', '"role":"custom"')),
    );
    expect(before.join("\n")).toContain('"role":"hookMessage"');
    expect([...entries.values()].map((entry) => entry.parentId)[0]).toBeNull();
  });
});
