/** Reads one path of a session in PostgreSQL in pieces, because a session may be larger than memory. */
import type { StoredLine } from "../store.js";
import { columnId } from "./columns.js";
import type { Database } from "./database.js";
import { leavesOf } from "./postgres-leaf.js";
import { HEADER, PATH, RUN_LINES } from "./statements.js";

const PIECE_BYTES = 8 << 20;
const PIECE_LINES = 4_000;

export interface LineRow {
  readonly seq: string;
  readonly line: Buffer;
  readonly replica: string;
  readonly name?: string | null;
}

interface HeaderRow extends Omit<LineRow, "line"> {
  readonly line: Buffer | null;
  readonly names: Readonly<Record<string, string>> | null;
}

/** A range of line numbers that follow each other on a path. */
interface Run {
  readonly first: number;
  readonly last: number;
}

export async function* postgresPath(
  database: Database,
  sessionId: string,
  entryId?: string,
): AsyncGenerator<readonly StoredLine[]> {
  const [[session], leaf] = await Promise.all([
    database.rows<HeaderRow>(HEADER, [sessionId], { name: "bough_header" }),
    entryId === undefined ? leavesOf(database, [sessionId]).then((leaves) => leaves.get(sessionId)) : columnId(entryId),
  ]);
  if (session === undefined) return;
  const named = (row: LineRow) => storedLine({ ...row, name: session.names?.[row.replica] ?? null });
  if (hasLine(session)) yield [named(session)];
  if (leaf === undefined) return;
  const rows = await pathRows(database, sessionId, leaf);
  const near = rows.filter(hasLine);
  if (near.length > 0) yield near.map(named);
  const far = rows.filter((row) => !hasLine(row));
  for (let left = far.map(({ seq, last }) => ({ first: Number(seq), last: Number(last ?? seq) })); left.length > 0; ) {
    const piece = upTo(PIECE_LINES, left);
    const [firsts, lasts] = [piece.map(({ first }) => first), piece.map(({ last }) => last)];
    const values = [sessionId, firsts, lasts, PIECE_BYTES, PIECE_LINES];
    const lines = await database.rows<LineRow & { readonly n: string }>(RUN_LINES, values, { name: "bough_run_lines" });
    const end = lines.at(-1);
    // The session was removed in the meantime.
    if (end === undefined) return;
    yield lines.map(named);
    left = after(left, { run: Number(end.n) - 1, seq: Number(end.seq) });
  }
}

interface PathRow extends Omit<LineRow, "line"> {
  readonly depth: number;
  readonly line: Buffer | null;
  /** For a run returned without its lines: the number of its last line. */
  readonly last: string | null;
}

/** From the root: nearby lines with their contents, then the ranges that need another query. */
async function pathRows(database: Database, sessionId: string, entryId: string): Promise<readonly PathRow[]> {
  const values = [[sessionId], [entryId], PIECE_LINES, PIECE_BYTES];
  const rows = await database.rows<PathRow>(PATH, values, { name: "bough_path" });
  // A line that appears twice means that the parents form a cycle: cut it there.
  const seen = new Set<string>();
  const again = rows.findLast(({ seq }) => seen.size === seen.add(seq).size);
  return again === undefined ? rows : rows.filter(({ depth }) => depth < again.depth);
}

/** The first runs, up to a total of `lines` lines; the last one may be shortened. */
function upTo(lines: number, runs: readonly Run[]): readonly Run[] {
  const some: Run[] = [];
  let count = 0;
  for (const { first, last } of runs) {
    if (count >= lines) break;
    const end = Math.min(last, first + lines - count - 1);
    some.push({ first, last: end });
    count += end - first + 1;
  }
  return some;
}

function after(runs: readonly Run[], { run, seq }: { readonly run: number; readonly seq: number }): Run[] {
  const [current, ...rest] = runs.slice(run);
  return current === undefined || seq >= current.last ? rest : [{ first: seq + 1, last: current.last }, ...rest];
}

export function hasLine<Row extends { readonly line: Buffer | null }>(
  row: Row,
): row is Row & { readonly line: Buffer } {
  return row.line !== null;
}

export function storedLine({ line, replica, name }: LineRow): StoredLine {
  return { bytes: line, replica: { id: replica, name: name ?? replica } };
}
