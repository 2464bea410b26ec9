/** What every reader of another agent's sessions guarantees, checked on one of its transcripts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import {
  type ForeignReader,
  type ForeignSession,
  type ImportOrigin,
  importSession,
  LossCollector,
  type LossReport,
  originsOf,
} from "@bough/workbench/interop/index.js";
import { afterAll, describe, expect, it } from "vitest";
import { copySource, recordsIn, writeRecords } from "../support/interop-source.js";
import { sampledCases } from "../support/sampled.js";
import { tempFolder } from "../support/temp-folder.js";

export interface InteropSample {
  readonly reader: ForeignReader;
  readonly path: string;
  /** Which session, if the file is a database. Default: the only one. */
  readonly id?: string;
  /** How many records the source has. Default: its non-empty lines. */
  readonly countRecords?: (source: ForeignSession) => number;
  /** `lines`: one record a line, and it only grows, so that the suite can grow, cut and damage a copy. */
  readonly layout: "lines" | "other";
  /** Number of unreadable records. Default 0. */
  readonly damaged?: number;
  /** Inserts a record of type `hologram` into a copy of a file in another layout. Default: nothing is inserted. */
  readonly putUnknown?: (copy: string) => void;
  /** Sets the version of a copy to 99, if the program writes versions. False if it does not. */
  readonly putFutureVersion?: (copy: string) => boolean;
}

interface Converted {
  readonly entries: readonly SessionEntry[];
  readonly report: LossReport;
}

async function sourceOf(reader: ForeignReader, path: string, id?: string): Promise<ForeignSession> {
  const sessions = await reader.describe(path);
  const source = id === undefined ? sessions[0] : sessions.find((session) => session.id === id);
  if (source === undefined) throw new Error(`no session ${id ?? ""} in ${path}`);
  return source;
}

async function convert(reader: ForeignReader, source: ForeignSession): Promise<Converted> {
  const collector = new LossCollector();
  const entries: SessionEntry[] = [];
  for await (const entry of reader.read(source, { report: collector })) entries.push(entry);
  return { entries, report: collector.report() };
}

/** The sample, converted once, because most tests use it. */
function convertedOnce({ reader, path, id }: InteropSample): () => Promise<Converted> {
  let converted: Promise<Converted> | undefined;
  afterAll(() => {
    converted = undefined;
  });
  return () => {
    converted ??= sourceOf(reader, path, id).then((source) => convert(reader, source));
    return converted;
  };
}

export function interopContract(name: string, sample: InteropSample): void {
  const { reader, path, id } = sample;
  const countRecords = sample.countRecords ?? ((source) => sum(source.files.map((file) => recordsIn(file).length)));

  describe(`${reader.agent}: ${name}`, () => {
    const converted = convertedOnce(sample);

    it("is known by its reader and described", async () => {
      expect(await reader.detect(path)).toBe(true);
      const source = await sourceOf(reader, path, id);
      expect(source).toMatchObject({ agent: reader.agent, path });
      expect(source.files[0]).toBe(path);
      expect(Number.isNaN(source.created.getTime())).toBe(false);
    });

    it("has every record accounted for, once", async () => {
      const source = await sourceOf(reader, path, id);
      const { report } = await converted();
      expect(report.records).toBe(countRecords(source));
      expect(report.records).toBe(report.kept + report.converted + report.notes + report.reported);
      expect(sum(report.counts.map(({ count }) => count))).toBe(report.records);
    });

    it("is a tree: every id once, every entry behind its parent", async () => {
      const { entries } = await converted();
      const seen = new Set<string>();
      const strays: string[] = [];
      for (const entry of entries) {
        if (seen.has(entry.id)) strays.push(`${entry.id} stands twice`);
        if (entry.parentId !== null && !seen.has(entry.parentId)) strays.push(`${entry.id} has no parent above it`);
        seen.add(entry.id);
      }
      expect(strays).toEqual([]);
    });

    it("has every result below its call, where the source holds the call", async () => {
      const { entries } = await converted();
      expect(resultsApartFromTheirCalls(entries)).toEqual([]);
    });

    it("comes out the same every time", async () => {
      const [first, second] = [await converted(), await convert(reader, await sourceOf(reader, path, id))];
      expect(second.entries).toEqual(first.entries);
      expect(second.report).toEqual(first.report);
    });

    it("becomes a session without problems, and importing it again adds nothing", async () => {
      const dir = tempFolder();
      const source = await sourceOf(reader, path, id);
      const { entries } = await converted();
      const first = await importSession(source, { dir });
      const bytes = readFileSync(first.path);
      const session = SessionManager.open(first.path, dir, { readOnly: true });
      expect(session.getProblems()).toEqual([]);
      expect(session.getEntries().slice(0, -1)).toEqual(JSON.parse(JSON.stringify(entries)));
      session.close();
      expect(await importSession(source, { dir })).toMatchObject({
        kind: "unchanged",
        path: first.path,
        added: 0,
        changed: [],
      });
      expect(readFileSync(first.path).equals(bytes)).toBe(true);
    });

    fromTheFuture(sample, converted);
    if (sample.layout === "lines") growingAndDamaged(sample, converted);
  });
}

/** A line that every reader takes for a record, of a type that none of them knows. */
const HOLOGRAM = JSON.stringify({
  ...{ type: "hologram", id: "hologram-1", parentId: null, timestamp: "2026-11-15T12:00:00.000Z" },
  ...{ payload: { light: 1 }, content: "?" },
});

function fromTheFuture(sample: InteropSample, converted: () => Promise<Converted>): void {
  const { reader, path, id, layout, putUnknown, putFutureVersion } = sample;
  const put = layout === "lines" ? putLine : putUnknown;
  if (put !== undefined) keepsUnknown(sample, converted, put);
  if (putFutureVersion === undefined) return;
  it("names a version of the future, and reads on", async () => {
    const before = await converted();
    const copy = copySource(await sourceOf(reader, path, id), tempFolder());
    if (!putFutureVersion(copy)) return;
    const { report, entries } = await convert(reader, await sourceOf(reader, copy, id));
    expect(report.unknown).toContainEqual(expect.stringMatching(/^version 99/));
    expect([report.records, entries.length]).toEqual([before.report.records, before.entries.length]);
  });
}

function keepsUnknown(
  { reader, path, id }: InteropSample,
  converted: () => Promise<Converted>,
  put: (copy: string) => void,
): void {
  it("keeps a record of an unknown type, and reports the type", async () => {
    const before = await converted();
    const copy = copySource(await sourceOf(reader, path, id), tempFolder());
    put(copy);
    const { report, entries } = await convert(reader, await sourceOf(reader, copy, id));
    expect(report.records).toBeGreaterThan(before.report.records);
    expect(report.unknown.filter((what) => what.includes("hologram"))).not.toEqual([]);
    expect(report.counts.filter(({ type }) => type.includes("hologram"))).toMatchObject([
      { fate: expect.stringMatching(/^(?:note|kept)$/), count: 1 },
    ]);
    expect(entries.filter((entry) => JSON.stringify(entry).includes("hologram"))).not.toEqual([]);
    expect(entries.length).toBeGreaterThan(before.entries.length);
  });
}

function putLine(copy: string): void {
  const records = recordsIn(copy);
  const middle = Math.ceil(records.length / 2);
  writeRecords(copy, [...records.slice(0, middle), HOLOGRAM, ...records.slice(middle)]);
}

function growingAndDamaged({ reader, path, damaged = 0 }: InteropSample, converted: () => Promise<Converted>): void {
  it("adds only the new part of a source that grew, wherever it had ended", async () => {
    const whole = await sourceOf(reader, path);
    const records = recordsIn(path);
    const entriesWhole = (await converted()).entries.length;
    for (const share of sampledCases([0.25, 0.5, 0.75, 1], records.length)) {
      const dir = tempFolder();
      const copy = copySource(whole, tempFolder());
      const end = Math.min(records.length - 1, Math.ceil(records.length * share));
      writeRecords(copy, records.slice(0, end));
      if (!(await reader.detect(copy))) continue;
      const first = await importSession(await sourceOf(reader, copy), { dir });
      const before = readFileSync(first.path);
      writeRecords(copy, records);
      const second = await importSession(await sourceOf(reader, copy), { dir });
      const after = readFileSync(second.path);
      expect(second).toMatchObject({ path: first.path, rewritten: [], changed: [] });
      expect(after.subarray(0, before.length).equals(before)).toBe(true);
      expect(second.report.records).toBe(
        sum((await sourceOf(reader, copy)).files.map((file) => recordsIn(file).length)),
      );
      const session = SessionManager.open(second.path, dir, { readOnly: true });
      expect(session.getProblems()).toEqual([]);
      // An import that adds something ends with an origin of its own, which was not there when it read.
      const origins = originsOf(session).slice(0, second.kind === "extended" ? -1 : undefined);
      expect(await changedSince(reader, await sourceOf(reader, copy), { session, origins })).toEqual([]);
      // Answers that the first import saw half of are two entries, and each import may say where the leaf is.
      expect(session.getEntries().length).toBeGreaterThanOrEqual(entriesWhole);
      session.close();
      expect(await importSession(await sourceOf(reader, copy), { dir })).toMatchObject({ kind: "unchanged", added: 0 });
    }
  });

  it("loads what is readable of a source that was cut in the middle of its last record", async () => {
    const whole = await sourceOf(reader, path);
    const copy = copySource(whole, tempFolder());
    const records = recordsIn(path);
    if (records.length < 2) return;
    const last = records.at(-1) as string;
    const kept = records.slice(0, -1);
    writeFileSync(copy, `${kept.join("\n")}\n${last.slice(0, Math.ceil(last.length / 2))}`);
    if (!(await reader.detect(copy))) return;
    const source = await sourceOf(reader, copy);
    const { report } = await convert(reader, source);
    expect(report.records).toBe(sum(source.files.map((file) => recordsIn(file).length)));
    expect(
      report.counts.filter(({ fate, lines }) => fate === "reported" && lines.at(-1)?.[1] !== undefined),
    ).not.toEqual([]);
  });

  it("loads the rest of a source with a line that is rubbish, and names the line", async () => {
    const whole = await sourceOf(reader, path);
    const folder = tempFolder();
    const copy = copySource(whole, folder);
    const records = recordsIn(path);
    if (records.length < 3) return;
    const broken = Math.floor(records.length / 2);
    writeRecords(copy, records.with(broken, `{"type":"user","content":"cut`));
    const source = await sourceOf(reader, copy);
    const { report, entries } = await convert(reader, source);
    expect(report.records).toBe(sum(source.files.map((file) => recordsIn(file).length)));
    expect(report.reported).toBeGreaterThanOrEqual(damaged === 0 ? 1 : damaged);
    const named = report.counts
      .filter(({ fate, file }) => fate === "reported" && file === copy)
      .flatMap(({ lines }) => lines);
    expect(named.some(([first, last]) => first <= broken + 1 && broken + 1 <= last)).toBe(true);
    expect(entries.length).toBeGreaterThan(0);
    const session = await importSession(source, { dir: join(folder, "sessions") });
    expect(session.kind).toBe("imported");
  });
}

/** The IDs of entries that would be converted differently today, although the source only grew. */
async function changedSince(
  reader: ForeignReader,
  source: ForeignSession,
  { session, origins }: { session: SessionManager; origins: readonly ImportOrigin[] },
): Promise<string[]> {
  const cuts = new Map<string, number[]>();
  for (const { files } of origins) {
    for (const [at, path] of source.files.entries()) {
      cuts.set(path, [...(cuts.get(path) ?? []), files[at]?.records ?? 0]);
    }
  }
  const changed: string[] = [];
  for await (const entry of reader.read(source, { report: new LossCollector(), cuts })) {
    const known = session.getEntry(entry.id);
    if (JSON.stringify(known) !== JSON.stringify(JSON.parse(JSON.stringify(entry)))) changed.push(entry.id);
  }
  return changed;
}

/** The ids of results whose call is in the session, but not above them. */
function resultsApartFromTheirCalls(entries: readonly SessionEntry[]): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const called = new Set(entries.flatMap(callsOf));
  return entries.flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
    const { toolCallId } = entry.message;
    if (!called.has(toolCallId)) return [];
    for (let at: SessionEntry | undefined = entry; at !== undefined; at = byId.get(at.parentId ?? "")) {
      if (callsOf(at).includes(toolCallId)) return [];
    }
    return [toolCallId];
  });
}

function callsOf(entry: SessionEntry): string[] {
  if (entry.type !== "message" || entry.message.role !== "assistant") return [];
  return entry.message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
