/** Makes a Bough session of another agent's, and brings it up to date when that one has grown. */
import { join } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, type SessionEntry } from "../../entry/index.js";
import { namesIn } from "../../log/index.js";
import { sessionFolder } from "../../session/index.js";
import type { ForeignSession } from "../contract.js";
import { foreignSessionId } from "../foreign-entry.js";
import { LossCollector, type LossReport } from "../loss-report.js";
import { lineOf, type Originals } from "../raw-line.js";
import { readEntries } from "../read-entries.js";
import { type EntrySink, finishOrAbandon, newFileSink } from "./entry-sink.js";
import { type Copied, extendImported } from "./extend-imported.js";
import { originEntry, stampFiles } from "./import-origin.js";

export interface ImportOptions {
  /** Where the session goes. Default: the folder of its working directory. */
  readonly dir?: string;
  readonly signal?: AbortSignal;
}

export interface ImportOutcome {
  /** `unchanged`: the source holds nothing that is not there already; nothing was written. */
  readonly kind: "imported" | "extended" | "unchanged";
  readonly path: string;
  /** Entries that were added, the note about the origin not counted. */
  readonly added: number;
  /** Files of the source that no longer start as they did at the last import. */
  readonly rewritten: readonly string[];
  /** Entries that would come out differently today. What is in the session stays as it was. */
  readonly changed: readonly EntryId[];
  readonly report: LossReport;
}

/**
 * Imports a session, or only what was added to it since the last import.
 *
 * The id of the session and the ids of its entries are made from the source, so a second import finds the first one. It
 * only ever appends, and if there is no news it does not touch the file. A new file is complete or not there; a
 * stopped import leaves nothing behind, and a stopped second one a valid session that the next import continues with.
 */
export async function importSession(source: ForeignSession, options: ImportOptions = {}): Promise<ImportOutcome> {
  const dir = options.dir ?? sessionFolder(source.cwd === "" ? process.cwd() : source.cwd);
  const existing = findImported(dir, foreignSessionId(source.agent, source.id));
  if (existing !== undefined) {
    const copied = await extendImported(existing, source, options);
    return { kind: copied.added > 0 ? "extended" : "unchanged", path: existing, ...copied };
  }
  const stamps = stampFiles(source);
  const path = join(dir, fileNameOf(source));
  const { signal } = options;
  const whole = { originals: "keep", ...(signal === undefined ? {} : { signal }) } as const;
  const made = await writeNew(newFileSink(path, { durable: true }), source, whole, (report) => [
    originEntry(source, stamps, report),
  ]);
  return { kind: "imported", path, rewritten: [], changed: [], ...made };
}

/** The session as a file that lasts as long as someone looks at it: neither hashed nor asked of the disk. */
export async function convertSession(
  source: ForeignSession,
  options: { readonly dir: string; readonly originals: Originals; readonly signal?: AbortSignal },
): Promise<{ readonly path: string; readonly report: LossReport }> {
  const path = join(options.dir, fileNameOf(source));
  const { report } = await writeNew(newFileSink(path, { durable: false }), source, options, () => []);
  return { path, report };
}

function fileNameOf(source: ForeignSession): string {
  const time = source.created.toISOString().replace(/[:.]/g, "-");
  return `${time}_${foreignSessionId(source.agent, source.id)}.jsonl`;
}

async function writeNew(
  sink: EntrySink,
  source: ForeignSession,
  { originals, ...reading }: { readonly originals: Originals; readonly signal?: AbortSignal },
  lastLines: (report: LossReport) => readonly SessionEntry[],
): Promise<Copied> {
  return finishOrAbandon(sink, async () => {
    sink.write(headerOf(source));
    const collector = new LossCollector();
    let added = 0;
    for await (const entry of readEntries(source, { ...reading, report: collector })) {
      sink.write(lineOf(entry, originals));
      added += 1;
    }
    const report = collector.report();
    for (const entry of lastLines(report)) sink.write(lineOf(entry));
    return { added, report };
  });
}

function headerOf(source: ForeignSession): string {
  const timestamp = source.created.toISOString();
  const importedFrom = { agent: source.agent, id: source.id, path: source.path };
  const id = foreignSessionId(source.agent, source.id);
  const version = CURRENT_SESSION_VERSION;
  return JSON.stringify({ type: "session", version, id, timestamp, cwd: source.cwd, importedFrom });
}

function findImported(dir: string, id: string): string | undefined {
  const name = namesIn(dir).find((candidate) => candidate.endsWith(`_${id}.jsonl`));
  return name === undefined ? undefined : join(dir, name);
}
