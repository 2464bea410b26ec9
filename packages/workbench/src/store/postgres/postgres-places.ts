/**
 * Whether entries are active, compacted or abandoned, seen from the leaf: for a few entries, without reading sessions.
 */
import { Kind } from "@bough/session/entry/index.js";
import { kindOfType } from "@bough/session/entry/internal.js";
import type { HitState } from "@bough/session/session/index.js";
import { lineFacts } from "../stored-line.js";
import { columnId } from "./columns.js";
import type { Database } from "./database.js";
import { leavesOf } from "./postgres-leaf.js";
import { LINES_AT, NUMBERS, RUNS } from "./statements.js";

/** An entry and its number in the session. */
export interface Numbered {
  readonly session: string;
  readonly seq: string;
  readonly kind: string;
  /** Set for labels, and for entries whose ID is too long for its column. */
  readonly line: Buffer | null;
}

interface Run {
  readonly first: number;
  readonly last: number;
}

/** A position on the path to the leaf: how many runs up, and the line number. */
interface Place {
  readonly depth: number;
  readonly seq: number;
}

interface ActivePath {
  readonly runs: readonly Run[];
  /** The latest compaction. */
  readonly compaction: Place | undefined;
  /** The first entry that it keeps, if that is above the compaction. */
  readonly kept: Place | undefined;
}

/** The states of entries, in the given order, by the same rules as a search in files. */
export async function statesOf(database: Database, entries: readonly Numbered[]): Promise<readonly HitState[]> {
  const [paths, targets] = await Promise.all([activePaths(database, entries), labelled(database, entries)]);
  return entries.map((entry, index) => {
    if (entry.kind === "session_info" || entry.kind === "title_change") return "active";
    const path = paths.get(entry.session);
    return path === undefined ? "abandoned" : stateIn(path, targets[index] ?? entry);
  });
}

function stateIn({ runs, compaction, kept }: ActivePath, { seq, kind }: Pick<Numbered, "seq" | "kind">): HitState {
  const place = placeOnPath(runs, Number(seq));
  if (place === undefined) return "abandoned";
  if (compaction === undefined || !isAbove(place, compaction)) return "active";
  // Only the latest compaction on a path counts.
  const isKept = kept !== undefined && !isAbove(place, kept) && kindOfType(kind) !== Kind.compaction;
  return isKept ? "active" : "compacted";
}

function placeOnPath(runs: readonly Run[], seq: number): Place | undefined {
  const depth = runs.findIndex(({ first, last }) => first <= seq && seq <= last);
  return depth < 0 ? undefined : { depth, seq };
}

function isAbove(place: Place, other: Place): boolean {
  return place.depth === other.depth ? place.seq < other.seq : place.depth > other.depth;
}

interface RunRow {
  readonly session: string;
  readonly first: string;
  readonly last: string;
  readonly compaction: string | null;
}

async function activePaths(database: Database, entries: readonly Numbered[]): Promise<ReadonlyMap<string, ActivePath>> {
  const leaves = [...(await leavesOf(database, [...new Set(entries.map(({ session }) => session))]))];
  const ids = [leaves.map(([session]) => session), leaves.map(([, leaf]) => leaf)];
  const rows = leaves.length === 0 ? [] : await database.rows<RunRow>(RUNS, ids, { name: "bough_runs" });
  const runs = new Map<string, Run[]>();
  const compactions = new Map<string, Place>();
  for (const { session, first, last, compaction } of rows) {
    const above = runs.get(session) ?? [];
    if (above.length === 0) runs.set(session, above);
    if (compaction !== null && !compactions.has(session))
      compactions.set(session, { depth: above.length, seq: Number(compaction) });
    above.push({ first: Number(first), last: Number(last) });
  }
  const kept = await firstKept(database, compactions);
  return new Map(
    [...runs].map(([session, above]) => {
      const compaction = compactions.get(session);
      const anchor = kept.get(session);
      const place = anchor === undefined ? undefined : placeOnPath(above, anchor);
      const isKept = compaction !== undefined && place !== undefined && isAbove(place, compaction);
      return [session, { runs: above, compaction, kept: isKept ? place : undefined }];
    }),
  );
}

/** The number of the first entry kept by each session's compaction. */
async function firstKept(
  database: Database,
  compactions: ReadonlyMap<string, Place>,
): Promise<ReadonlyMap<string, number>> {
  if (compactions.size === 0) return new Map();
  const places = [...compactions];
  const lines = await database.rows<{ session: string; line: Buffer }>(LINES_AT, [
    places.map(([session]) => session),
    places.map(([, { seq }]) => seq),
  ]);
  const wanted = lines.map(({ session, line }) => ({
    session,
    id: idIn(lineFacts(line)?.record.firstKeptEntryId),
  }));
  return new Map((await numbersOf(database, wanted)).map(({ session, seq }) => [session, Number(seq)]));
}

/** The targets of labels, at the indexes of the labels. */
async function labelled(database: Database, entries: readonly Numbered[]): Promise<readonly (NumberRow | undefined)[]> {
  const wanted = entries.map(({ session, kind, line }) => ({
    session,
    id: line === null || kind !== "label" ? undefined : idIn(lineFacts(line)?.record.targetId),
  }));
  const found = await numbersOf(database, wanted);
  const byId = new Map(found.map((row) => [`${row.session} ${row.id}`, row]));
  return wanted.map(({ session, id }) => byId.get(`${session} ${id}`));
}

interface NumberRow {
  readonly session: string;
  readonly id: string;
  readonly seq: string;
  readonly kind: string;
}

async function numbersOf(
  database: Database,
  wanted: readonly { readonly session: string; readonly id: string | undefined }[],
): Promise<readonly NumberRow[]> {
  const named = wanted.filter(({ id }) => id !== undefined);
  if (named.length === 0) return [];
  return database.rows<NumberRow>(NUMBERS, [named.map(({ session }) => session), named.map(({ id }) => id)]);
}

function idIn(value: unknown): string | undefined {
  return typeof value === "string" ? columnId(value) : undefined;
}
