/** Brings an imported session up to date with a source that has grown, or changed. */
import { existsSync } from "node:fs";
import type { EntryId, SessionEntry } from "../../entry/index.js";
import { SessionManager } from "../../session/index.js";
import type { ForeignSession } from "../contract.js";
import { positionEntry } from "../foreign-entry.js";
import { LeafTrail, leafLinesSinceImport } from "../leaf-trail.js";
import { LossCollector, type LossReport } from "../loss-report.js";
import { lineOf } from "../raw-line.js";
import { readEntries } from "../read-entries.js";
import { appendSink, type EntrySink, finishOrAbandon } from "./entry-sink.js";
import { cutsFrom, type ImportOrigin, originEntry, originsOf, rewrittenFiles, stampFiles } from "./import-origin.js";

export interface Copied {
  readonly added: number;
  readonly report: LossReport;
}

interface Extended extends Copied {
  readonly rewritten: readonly string[];
  readonly changed: readonly EntryId[];
}

/** Appends what is new, and nothing if there is no news. */
export async function extendImported(
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
  const here = new LeafTrail(before);
  let added = 0;
  const add = (entry: SessionEntry): void => {
    sink.write(lineOf(entry));
    here.take(entry);
    added += 1;
  };
  const reading = { report: collector, cuts, ...(signal === undefined ? {} : { signal }) };
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
  // Whoever continued in the imported session stays where they are.
  if (theirs.size > 0) sink.write(lineOf(positionAt(before)));
  return { added, report };
}

function isBeside(last: ImportOrigin | undefined, source: ForeignSession): boolean {
  return last !== undefined && last.path !== source.path && existsSync(last.path);
}
