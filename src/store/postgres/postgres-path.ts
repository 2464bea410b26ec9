/** One path of a session in PostgreSQL, in pieces: a session may be larger than the memory. */
import type { StoredLine } from "../store.js";
import type { Database } from "./database.js";
import { leavesOf } from "./postgres-leaf.js";
import { HEADER, RUN_LINES, RUNS } from "./statements.js";

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

/** Lines that follow each other on a path, by their numbers. */
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
    database.rows<HeaderRow>(HEADER, [sessionId], "bough_header"),
    entryId ?? leavesOf(database, [sessionId]).then((leaves) => leaves.get(sessionId)),
  ]);
  if (session === undefined) return;
  const named = (row: LineRow) => storedLine({ ...row, name: session.names?.[row.replica] ?? null });
  if (hasLine(session)) yield [named(session)];
  if (leaf === undefined) return;
  for (let left = await runsTo(database, sessionId, leaf); left.length > 0; ) {
    const piece = upTo(PIECE_LINES, left);
    const values = [sessionId, piece.map(({ first }) => first), piece.map(({ last }) => last), PIECE_BYTES];
    const rows = await database.rows<LineRow & { readonly n: string }>(RUN_LINES, values, "bough_run_lines");
    const end = rows.at(-1);
    // The session was removed meanwhile.
    if (end === undefined) return;
    yield rows.map(named);
    left = after(left, { run: Number(end.n) - 1, seq: Number(end.seq) });
  }
}

/** Root first. */
async function runsTo(database: Database, sessionId: string, entryId: string): Promise<readonly Run[]> {
  const rows = await database.rows<{ first: string; last: string }>(RUNS, [[sessionId], [entryId]], "bough_runs");
  const runs = rows.map(({ first, last }) => ({ first: Number(first), last: Number(last) }));
  // Who comes to a run again goes in a circle.
  const seen = new Set<number>();
  const again = runs.findIndex(({ first }) => seen.size === seen.add(first).size);
  return (again < 0 ? runs : runs.slice(0, again)).reverse();
}

/** The first runs of so many lines together; the last of them may be cut. */
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

function after(runs: readonly Run[], { run, seq }: { readonly run: number; readonly seq: number }): readonly Run[] {
  const [current, ...rest] = runs.slice(run);
  return current === undefined || seq >= current.last ? rest : [{ first: seq + 1, last: current.last }, ...rest];
}

function hasLine(row: HeaderRow): row is HeaderRow & LineRow {
  return row.line !== null;
}

export function storedLine({ line, replica, name }: LineRow): StoredLine {
  return { bytes: line, replica: { id: replica, name: name ?? replica } };
}
