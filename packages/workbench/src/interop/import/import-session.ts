/** Converts another agent's session to a Bough session, and updates it when the source has grown. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CURRENT_SESSION_VERSION, type EntryId, Kind, type SessionEntry } from "@bough/session/entry/index.js";
import { LeafTrail } from "@bough/session/entry/internal.js";
import { namesIn, WorkTurns } from "@bough/session/log/index.js";
import { SessionManager, sessionFolder } from "@bough/session/session/index.js";
import { readerFor } from "../agents.js";
import type { ForeignSession, ReadOptions } from "../contract.js";
import { foreignSessionId, positionEntry } from "../foreign-entry.js";
import { LossCollector, type LossReport } from "../loss-report.js";
import { lineOf, type Originals } from "../raw-line.js";
import { checkReadable } from "../source-problem.js";
import { appendSink, type EntrySink, finishOrAbandon, MemorySink, newFileSink } from "./entry-sink.js";
import {
  cutsFrom,
  type ImportOrigin,
  lastOriginId,
  originEntry,
  originsOf,
  rewrittenFiles,
  stampFiles,
} from "./import-origin.js";

export interface ImportOptions {
  /** Folder of the imported session. Default: the folder of its working directory. */
  readonly dir?: string;
  readonly signal?: AbortSignal;
}

export interface ImportOutcome {
  /** `unchanged`: the source has nothing new, and nothing was written. */
  readonly kind: "imported" | "extended" | "unchanged";
  readonly path: string;
  /** Number of entries added, not counting the origin entry. */
  readonly added: number;
  /** Files of the source that were rewritten since the last import. */
  readonly rewritten: readonly string[];
  /** Entries that would now be converted differently. The session keeps them unchanged. */
  readonly changed: readonly EntryId[];
  readonly report: LossReport;
}

/**
 * Imports a session or, if it was imported before, only what was added since.
 *
 * The IDs of the session and its entries are derived from the source, so a second import finds the first. It only
 * appends, and does not touch the file if nothing is new. A new file is created atomically: stopping a first import
 * leaves nothing behind, and stopping a later one leaves a valid session that the next import continues.
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

/** Converts a session to a temporary file, without hashing the source or waiting for the disk. */
export async function convertSession(
  source: ForeignSession,
  options: { readonly dir: string; readonly originals: Originals; readonly signal?: AbortSignal },
): Promise<{ readonly path: string; readonly report: LossReport }> {
  const path = join(options.dir, fileNameOf(source));
  const { report } = await writeNew(newFileSink(path, { durable: false }), source, options, () => []);
  return { path, report };
}

/** The bytes of a converted session, for one that is small enough to be held in memory. */
export async function convertedBytes(
  source: ForeignSession,
  options: { readonly originals: Originals; readonly signal?: AbortSignal },
): Promise<Buffer> {
  const sink = new MemorySink();
  await writeNew(sink, source, options, () => []);
  return sink.bytes();
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

/** Reads the entries of a session, yielding regularly so that the caller can abort. */
async function* readEntries(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  checkReadable(source);
  const turns = new WorkTurns();
  for await (const entry of readerFor(source.agent).read(source, options)) {
    yield entry;
    if (!turns.isDue) continue;
    await turns.yieldNow();
    options.signal?.throwIfAborted();
  }
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

interface Copied {
  readonly added: number;
  readonly report: LossReport;
}

interface Extended extends Copied {
  readonly rewritten: readonly string[];
  readonly changed: readonly EntryId[];
}

/** Brings an imported session up to date with its source. Appends only what is new. */
async function extendImported(
  path: string,
  found: ForeignSession,
  { signal }: { readonly signal?: AbortSignal },
): Promise<Extended> {
  const session = SessionManager.open(path, undefined, { readOnly: true });
  try {
    // Records without a time get the creation time of the source as of the first import.
    const source = { ...found, created: new Date(session.getHeader().timestamp) };
    const rewritten = rewrittenFiles(originsOf(session), source);
    const changed: EntryId[] = [];
    // Comparing reads every entry, so do it only if the source was rewritten.
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
  /** Called with every entry that the session already has. */
  readonly compare: (entry: SessionEntry) => void;
}

async function appendNews(sink: EntrySink, { session, source, signal, compare }: Extension): Promise<Copied> {
  const { tree } = session.getSource();
  const collector = new LossCollector();
  const cuts = cutsFrom(originsOf(session), source);
  const stamps = stampFiles(source);
  const before = session.getLeafId();
  /** Entries that moved the leaf since the import and do not come from the source: the user's own work. */
  const ownWork = leafLinesSinceImport(session);
  const sourceTrail = new LeafTrail();
  const sessionTrail = new LeafTrail({ leaf: before, isOwn: true });
  let added = 0;
  const add = (entry: SessionEntry): void => {
    sink.write(lineOf(entry));
    sessionTrail.take(entry);
    added += 1;
  };
  const reading = { report: collector, cuts, signal };
  for await (const entry of readEntries(source, reading)) {
    sourceTrail.take(entry);
    ownWork.delete(entry.id);
    if (tree.ids.findText(entry.id) < 0) add(entry);
    else compare(entry);
  }
  const report = collector.report();
  const seed = `${source.modified.toISOString()} ${tree.count}`;
  const positionAt = (leaf: EntryId | null): SessionEntry => positionEntry(leaf, source.modified.toISOString(), seed);
  // The leaf follows the source, even to existing entries: the source may have undone an undo, or abandoned an
  // unfinished answer. Not for a second file with the same ID next to the imported one, or the two would keep moving
  // the leaf.
  const follows = ownWork.size === 0 && !isBeside(originsOf(session).at(-1), source);
  const { leaf } = sourceTrail;
  if (follows && leaf !== null && sessionTrail.leaf !== leaf) add(positionAt(leaf));
  if (added === 0) return { added, report };
  sink.write(lineOf(originEntry(source, stamps, report, tree.count)));
  // If the user continued the imported session, keep its position.
  if (ownWork.size > 0) sink.write(lineOf(positionAt(before)));
  return { added, report };
}

/**
 * Entries after the last import that determine where the leaf is: the leaf itself, and positions below it. Empty if the
 * leaf has not moved since the import. May include entries of an import that was stopped.
 */
function leafLinesSinceImport(session: SessionManager): Set<EntryId> {
  const { tree } = session.getSource();
  const placeOf = (id: EntryId): number => tree.ids.findText(id);
  const origin = lastOriginId(session);
  const end = origin === undefined ? -1 : placeOf(origin);
  const leaf = session.getLeafId();
  const lines = new Set<EntryId>();
  if (leaf !== null && placeOf(leaf) > end) lines.add(leaf);
  for (const id of session.getChildIds(leaf)) {
    const place = placeOf(id);
    if (place > end && tree.kindOf(place) === Kind.position) lines.add(id);
  }
  return lines;
}

function isBeside(last: ImportOrigin | undefined, source: ForeignSession): boolean {
  return last !== undefined && last.path !== source.path && existsSync(last.path);
}
