/** Copies of foreign sessions that a test may cut, grow and damage. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Kind, kindOf, type SessionEntry } from "@bough/session/entry/index.js";
import {
  type ForeignReader,
  type ForeignSession,
  LossCollector,
  type LossReport,
} from "@bough/workbench/interop/index.js";
import { copySample } from "./copy-sample.js";

/** Samples of other projects, and of the programs themselves. They are read where they are, and may not be here. */
export const FIXTURES =
  process.env.BOUGH_FIXTURES ?? fileURLToPath(new URL("../../../shared/fixtures", import.meta.url));

/** Copies every file of a session, laid out as it was; returns the path of the main file's copy. */
export function copySource(source: ForeignSession, folder: string): string {
  const base = dirname(source.path);
  for (const file of source.files) {
    copySample(file, join(folder, relative(base, file)));
  }
  return join(folder, relative(base, source.path));
}

/** The records of a file: its lines that are not empty. */
export function recordsIn(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

export function writeRecords(file: string, records: readonly string[]): void {
  writeFileSync(file, records.map((record) => `${record}\n`).join(""));
}

/** Whether an entry is part of what was said. */
export function isConversationEntry(entry: SessionEntry): boolean {
  const kind = kindOf(entry);
  return kind >= Kind.message && kind <= Kind.customMessage;
}

export interface Converted {
  readonly source: ForeignSession;
  readonly entries: readonly SessionEntry[];
  readonly report: LossReport;
}

/** Everything a reader makes of the only session in a file. */
export async function convertFile(reader: ForeignReader, path: string): Promise<Converted> {
  const [source] = await reader.describe(path);
  if (source === undefined) throw new Error(`no session in ${path}`);
  const collector = new LossCollector();
  const entries: SessionEntry[] = [];
  for await (const entry of reader.read(source, { report: collector })) entries.push(entry);
  return { source, entries, report: collector.report() };
}

/** The entries from the root to one of them. */
export function pathOf(entries: readonly SessionEntry[], id: string): SessionEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path: SessionEntry[] = [];
  for (let at = byId.get(id); at !== undefined; at = byId.get(at.parentId ?? "")) path.push(at);
  return path.reverse();
}
