/** Reads a foreign session completely, and draws its tree as lines to compare. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { ForeignReader, ForeignSession } from "./contract.js";
import { LossCollector, type LossReport } from "./loss-report.js";

export interface Reading {
  readonly source: ForeignSession;
  readonly entries: readonly SessionEntry[];
  readonly report: LossReport;
  /** `parent -> entry` for each named entry. */
  readonly drawing: readonly string[];
}

/** The name of an entry in the drawing; undefined omits it. */
export type NameOf = (entry: SessionEntry) => string | undefined;

export async function readWhole(reader: ForeignReader, path: string, nameOf: NameOf): Promise<Reading> {
  const [source] = await reader.describe(path);
  if (source === undefined) throw new Error("nothing described");
  const report = new LossCollector();
  const entries: SessionEntry[] = [];
  for await (const entry of reader.read(source, { report })) entries.push(entry);
  return { source, entries, report: report.report(), drawing: drawReading(entries, nameOf) };
}

export function drawReading(entries: readonly SessionEntry[], nameOf: NameOf): string[] {
  const names = new Map<string | null, string>();
  const lines: string[] = [];
  for (const entry of entries) {
    const parent = names.get(entry.parentId) ?? "";
    const name = nameOf(entry);
    names.set(entry.id, name ?? parent);
    if (name !== undefined) lines.push(parent === "" ? name : `${parent} -> ${name}`);
  }
  return lines;
}
