/** Makes a Bough session of another agent's, and brings it up to date when that one has grown. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, type SessionEntry } from "@bough/session/entry/index.js";
import { LeafTrail } from "@bough/session/entry/internal.js";
import { namesIn } from "@bough/session/log/index.js";
import { SessionManager, sessionFolder } from "@bough/session/session/index.js";
import type { ForeignSession } from "../contract.js";
import { foreignSessionId, positionEntry } from "../foreign-entry.js";
import { leafLinesSinceImport } from "../leaf-lines.js";
import { LossCollector, type LossReport } from "../loss-report.js";
import { lineOf, type Originals } from "../raw-line.js";
import { readEntries } from "../read-entries.js";
import { appendSink, type EntrySink, finishOrAbandon, newFileSink } from "./entry-sink.js";
import { cutsFrom, type ImportOrigin, originEntry, originsOf, rewrittenFiles, stampFiles } from "./import-origin.js";

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
  const whole = { originals: "keep", signal } as const;
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

/** Brings an imported session up to date with a source that has grown, or changed. */
interface Copied {
  readonly added: number;
  readonly report: LossReport;
}

interface Extended extends Copied {
  readonly rewritten: readonly string[];
  readonly changed: readonly EntryId[];
}

/** Appends what is new, and nothing if there is no news. */
async function extendImported(
  path: string,
  found: ForeignSession,
  { signal }: { readonly signal?: AbortSignal },
): Promise<Extended> {
  const session = SessionManager.open(path, undefined, { readOnly: true });
  try {
    // Records without a time have the time the source had begun at when it was imported first.
    const source = { ...found, created: new Date(session.getHeader().timestamp) };
    const rewritten = rewrittenFiles(originsOf(session), source);
    const changed: EntryId[] = [];
    // Comparing costs a read of every entry: only if the source is not what it was.
    const compare = (entry: SessionEntry): void => {
      if (rewritten.length > 0 && differs(session.getEntry(entry.id), entry)) changed.push(entry.id);
    };
    const sink = appendSink(path);
    const copied = await finishOrAbandon(sink, () => appendNews(sink, { session, source, signal, compare }));
    return { rewritten, changed, ...copied };
  } finally {
    session.close();
  }
}

function differs(known: SessionEntry | undefined, entry: SessionEntry): boolean {
  return known === undefined || JSON.stringify(known) !== JSON.stringify(JSON.parse(lineOf(entry)));
}

interface Extension {
  readonly session: SessionManager;
  readonly source: ForeignSession;
  readonly signal: AbortSignal | undefined;
  /** Learns about every entry that is already there. */
  readonly compare: (entry: SessionEntry) => void;
}

async function appendNews(sink: EntrySink, { session, source, signal, compare }: Extension): Promise<Copied> {
  const { tree } = session.getSource();
  const collector = new LossCollector();
  const cuts = cutsFrom(originsOf(session), source);
  const stamps = stampFiles(source);
  const before = session.getLeafId();
  /** What a user wrote since: lines that the source does not give. */
  const theirs = leafLinesSinceImport(session);
  const there = new LeafTrail();
  const here = new LeafTrail({ leaf: before, isOwn: true });
  let added = 0;
  const add = (entry: SessionEntry): void => {
    sink.write(lineOf(entry));
    here.take(entry);
    added += 1;
  };
  const reading = { report: collector, cuts, signal };
  for await (const entry of readEntries(source, reading)) {
    there.take(entry);
    theirs.delete(entry.id);
    if (tree.ids.findText(entry.id) < 0) add(entry);
    else compare(entry);
  }
  const report = collector.report();
  const seed = `${source.modified.toISOString()} ${tree.count}`;
  const positionAt = (leaf: EntryId | null): SessionEntry => positionEntry(leaf, source.modified.toISOString(), seed);
  // The leaf follows the source, also to what is already there: an undo was undone, an unfinished answer left behind.
  // Not so for a second file with the same id next to the one that was imported: each would move it, every time.
  const follows = theirs.size === 0 && !isBeside(originsOf(session).at(-1), source);
  if (follows && there.leaf !== null && here.leaf !== there.leaf) add(positionAt(there.leaf));
  if (added === 0) return { added, report };
  sink.write(lineOf(originEntry(source, stamps, report, tree.count)));
  // If the imported session was continued, its position does not change.
  if (theirs.size > 0) sink.write(lineOf(positionAt(before)));
  return { added, report };
}

function isBeside(last: ImportOrigin | undefined, source: ForeignSession): boolean {
  return last !== undefined && last.path !== source.path && existsSync(last.path);
}
