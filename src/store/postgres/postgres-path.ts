/** One path of a session in PostgreSQL, in pieces: a session may be larger than the memory. */
import { kindOf, LeafEffect, leafEffect, type SessionEntry } from "../../entry/index.js";
import type { StoredLine } from "../store.js";
import { lineFacts } from "../stored-line.js";
import type { Database } from "./database.js";
import { HEADER, LINES, PATH, TAIL } from "./statements.js";

const PIECE_BYTES = 8 << 20;
const PIECE_LINES = 1_000;
const TAIL_LINES = 32;

export interface LineRow {
  readonly seq: string;
  readonly line: Buffer;
  readonly replica: string;
  readonly name?: string | null;
}

interface PathRow extends Omit<LineRow, "line"> {
  readonly line: Buffer | null;
}

interface HeaderRow extends PathRow {
  readonly names: Readonly<Record<string, string>> | null;
}

export async function* postgresPath(
  database: Database,
  sessionId: string,
  entryId?: string,
): AsyncGenerator<readonly StoredLine[]> {
  const [[session], leaf] = await Promise.all([
    database.rows<HeaderRow>(HEADER, [sessionId], "bough_header"),
    entryId ?? leafOf(database, sessionId),
  ]);
  if (session === undefined) return;
  const named = (row: LineRow) => storedLine({ ...row, name: session.names?.[row.replica] ?? null });
  if (hasLine(session)) yield [named(session)];
  if (leaf === undefined) return;
  const rows = await database.rows<PathRow>(PATH, [sessionId, leaf, PIECE_BYTES], "bough_path");
  const far = rows.filter((row) => !hasLine(row)).map(({ seq }) => seq);
  for (let from = 0; from < far.length; from += PIECE_LINES) {
    const piece = far.slice(from, from + PIECE_LINES);
    yield (await database.rows<LineRow>(LINES, [sessionId, piece], "bough_lines")).map(named);
  }
  const near = rows.filter(hasLine);
  if (near.length > 0) yield near.map(named);
}

function hasLine(row: PathRow): row is LineRow {
  return row.line !== null;
}

export function storedLine({ line, replica, name }: LineRow): StoredLine {
  return { bytes: line, replica: { id: replica, name: name ?? replica } };
}

/**
 * Where a session is, by the rules by which a file is opened: at the last entry of the conversation or the last recorded
 * position, and below it at whatever continues it.
 */
async function leafOf(database: Database, sessionId: string): Promise<string | undefined> {
  const after: { id: string; parentId: string | null }[] = [];
  let before = String(Number.MAX_SAFE_INTEGER);
  for (let limit = TAIL_LINES; ; limit = PIECE_LINES) {
    const rows = await database.rows<{ seq: string; line: Buffer }>(TAIL, [sessionId, before, limit], "bough_tail");
    for (const { line } of rows) {
      const facts = lineFacts(line);
      if (facts === undefined) continue;
      const { id, parentId, record } = facts;
      const effect = leafEffect(kindOf(record as unknown as SessionEntry));
      if (effect === LeafEffect.extends) after.push({ id, parentId });
      if (effect === LeafEffect.sets || effect === LeafEffect.points)
        return continued(effect === LeafEffect.sets ? id : parentId, after.reverse());
    }
    const last = rows.at(-1);
    if (last === undefined) return continued(null, after.reverse());
    before = last.seq;
  }
}

function continued(
  start: string | null,
  after: readonly { readonly id: string; readonly parentId: string | null }[],
): string | undefined {
  let leaf = start;
  for (const { id, parentId } of after) if (parentId === leaf) leaf = id;
  return leaf ?? undefined;
}
