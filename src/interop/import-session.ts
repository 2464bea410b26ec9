/** Makes a Bough session of another agent's, and brings it up to date when that one has grown. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, type SessionEntry } from "../entry/index.js";
import { SessionManager, sessionFolder } from "../session/index.js";
import { readerFor } from "./agents.js";
import type { ForeignSession } from "./contract.js";
import { appendSink, type EntrySink, newFileSink } from "./entry-sink.js";
import { foreignSessionId, positionEntry } from "./foreign-entry.js";
import { cutsFrom, type ImportOrigin, originEntry, originsOf, rewrittenFiles, stampFiles } from "./import-origin.js";
import { LossCollector, type LossReport } from "./loss-report.js";
import { lineOf } from "./raw-line.js";

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
 * Imports a session, or what is new of it.
 *
 * The id of the session and the ids of its entries are made from the source, so a second import finds the first one. It
 * only ever appends. A new file is complete or not there; a stopped import leaves nothing behind, and a stopped second
 * one a valid session that the next import goes on with.
 */
export async function importSession(source: ForeignSession, options: ImportOptions = {}): Promise<ImportOutcome> {
  const dir = options.dir ?? sessionFolder(source.cwd === "" ? process.cwd() : source.cwd);
  const id = foreignSessionId(source.agent, source.id);
  const existing = findImported(dir, id);
  if (existing !== undefined) return extend(existing, source, options);
  const path = join(dir, `${source.created.toISOString().replace(/[:.]/g, "-")}_${id}.jsonl`);
  const sink = newFileSink(path);
  sink.write(headerOf(source, id));
  const copied = await copyEntries({ source, options, sink, origins: [], isKnown: () => false });
  return { kind: "imported", path, rewritten: [], changed: [], ...copied };
}

function headerOf(source: ForeignSession, id: string): string {
  const timestamp = source.created.toISOString();
  const importedFrom = { agent: source.agent, id: source.id, path: source.path };
  const version = CURRENT_SESSION_VERSION;
  return JSON.stringify({ type: "session", version, id, timestamp, cwd: source.cwd, importedFrom });
}

function findImported(dir: string, id: string): string | undefined {
  try {
    const name = readdirSync(dir).find((candidate) => candidate.endsWith(`_${id}.jsonl`));
    return name === undefined ? undefined : join(dir, name);
  } catch {
    // No such folder yet.
    return undefined;
  }
}

async function extend(path: string, found: ForeignSession, options: ImportOptions): Promise<ImportOutcome> {
  const session = SessionManager.open(path, undefined, { readOnly: true });
  try {
    // Records without a time have the time the source had begun at when it was imported first.
    const source = { ...found, created: new Date(session.getHeader().timestamp) };
    const origins = originsOf(session);
    const rewritten = rewrittenFiles(origins, source);
    const { tree } = session.getSource();
    const changed: EntryId[] = [];
    const leaf = session.getLeafId();
    let isOurs = leaf !== null;
    const isKnown = (entry: SessionEntry): boolean => {
      if (entry.id === leaf) isOurs = false;
      if (tree.ids.findText(entry.id) < 0) return false;
      // Comparing costs a read of every entry: only where the source is not what it was.
      if (rewritten.length > 0 && differs(session.getEntry(entry.id), entry)) changed.push(entry.id);
      return true;
    };
    const sink = lazySink(() => appendSink(path));
    // Whoever went on in the imported session stays where they are; otherwise the leaf follows the source.
    const lastLine = (): SessionEntry | undefined =>
      isOurs ? positionEntry(leaf, source.modified.toISOString(), source.modified.toISOString()) : undefined;
    const copied = await copyEntries({ source, options, sink, origins, isKnown, lastLine });
    return { kind: copied.added > 0 ? "extended" : "unchanged", path, rewritten, changed, ...copied };
  } finally {
    session.close();
  }
}

function differs(known: SessionEntry | undefined, entry: SessionEntry): boolean {
  return known === undefined || JSON.stringify(known) !== JSON.stringify(JSON.parse(lineOf(entry)));
}

interface CopyTask {
  readonly source: ForeignSession;
  readonly options: ImportOptions;
  readonly sink: EntrySink;
  readonly origins: readonly ImportOrigin[];
  readonly isKnown: (entry: SessionEntry) => boolean;
  /** Written behind everything, where anything was written. */
  readonly lastLine?: () => SessionEntry | undefined;
}

async function copyEntries({
  source,
  options,
  sink,
  origins,
  isKnown,
  lastLine,
}: CopyTask): Promise<{ added: number; report: LossReport }> {
  const collector = new LossCollector();
  let added = 0;
  try {
    const stamps = stampFiles(source);
    const { signal } = options;
    const reading = { report: collector, cuts: cutsFrom(origins, source), ...(signal === undefined ? {} : { signal }) };
    for await (const entry of readerFor(source.agent).read(source, reading)) {
      if (isKnown(entry)) continue;
      sink.write(lineOf(entry));
      added += 1;
    }
    const report = collector.report();
    const origin = originEntry(source, stamps, report);
    if (!isKnown(origin)) sink.write(lineOf(origin));
    const last = added === 0 ? undefined : lastLine?.();
    if (last !== undefined) sink.write(lineOf(last));
    sink.finish();
    return { added, report };
  } catch (error) {
    sink.abandon();
    throw error;
  }
}

/** Opens the real sink with the first line, so that an import without news touches nothing. */
function lazySink(open: () => EntrySink): EntrySink {
  let sink: EntrySink | undefined;
  return {
    write(line) {
      sink ??= open();
      sink.write(line);
    },
    finish: () => sink?.finish(),
    abandon: () => sink?.abandon(),
  };
}
