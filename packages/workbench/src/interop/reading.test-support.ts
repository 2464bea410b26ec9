/** A foreign session read to its end, and its tree as lines that tests compare. */
import type { SessionEntry } from "@bough/session/entry/index.js";
import type { ForeignReader, ForeignSession } from "./contract.js";
import { LossCollector, type LossReport } from "./loss-report.js";

export interface Reading {
  readonly source: ForeignSession;
  readonly entries: readonly SessionEntry[];
  readonly report: LossReport;
  /** `parent -> entry` for each entry that has a name. */
  readonly drawing: readonly string[];
}

/** What an entry is called in the drawing; undefined leaves it out. */
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
