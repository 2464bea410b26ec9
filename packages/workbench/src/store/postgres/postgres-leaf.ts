/** Where sessions in PostgreSQL are, by the rules by which a file is opened. */
import { kindOf, LeafEffect, leafEffect, type SessionEntry } from "@bough/session/entry/index.js";
import { isEntry, LeafRule, LeafTrail, OWN_PREFIX, type RawRecord } from "@bough/session/entry/internal.js";
import { lineFacts } from "../stored-line.js";
import type { Database } from "./database.js";
import { HAS_OWN_RECORD, TAILS } from "./statements.js";

/** Nearly always the last line tells; then a few more are cheaper than asking again. */
const FIRST_LINES = 16;
const MORE_LINES = 1_000;
const END = String(Number.MAX_SAFE_INTEGER);
const OWN_RECORD = Buffer.from(`"customType":"${OWN_PREFIX}`);

interface TailRow {
  readonly session: string;
  readonly seq: string;
  readonly id: string;
  readonly parent: string | null;
  readonly kind: string;
  /** Of a custom entry: it may be a position, or another record of Bough's own. */
  readonly line: Buffer | null;
}

/** The leaf of each session; a session that has none, or is at its beginning, is left out. */
export async function leavesOf(database: Database, sessions: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const tails = await tailsOf(database, sessions, { before: END, limit: FIRST_LINES });
  const found = await Promise.all(
    [...tails].map(async ([session, tail]) => [session, await leafOf(database, session, tail)] as const),
  );
  return new Map(found.filter((one): one is [string, string] => one[1] !== null));
}

async function tailsOf(
  database: Database,
  sessions: readonly string[],
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<ReadonlyMap<string, TailRow[]>> {
  const rows = await database.rows<TailRow>(TAILS, [sessions, before, limit], { name: "bough_tails" });
  const tails = new Map(sessions.map((session) => [session, [] as TailRow[]]));
  for (const row of rows) tails.get(row.session)?.push(row);
  return tails;
}

/** Backwards to the last entry that says where the leaf is, whatever was before it; then forwards from there. */
async function leafOf(database: Database, session: string, tail: readonly TailRow[]): Promise<string | null> {
  const after: SessionEntry[] = [];
  let before = END;
  for (let rows = tail; rows.length > 0; ) {
    for (const row of rows) {
      before = row.seq;
      const entry = entryIn(row);
      if (entry === undefined) continue;
      after.push(entry);
      const effect = leafEffect(kindOf(entry));
      if (effect === LeafEffect.sets || effect === LeafEffect.points) {
        return leafAfter(after, { isOwn: await isOwnBefore(database, session, { before, after }) });
      }
    }
    rows = (await tailsOf(database, [session], { before, limit: MORE_LINES })).get(session) ?? [];
  }
  return leafAfter(after, { isOwn: false });
}

/** Whether a record of Bough's own came before some lines. Asked only if it matters: it may mean to look at all of them. */
async function isOwnBefore(
  database: Database,
  session: string,
  { before, after }: { readonly before: string; readonly after: readonly SessionEntry[] },
): Promise<boolean> {
  const matters = after.some((entry) => LeafRule.mostOf(kindOf(entry), entry.id) !== leafEffect(kindOf(entry)));
  if (!matters) return false;
  const [found] = await database.rows<{ readonly has_own: boolean }>(HAS_OWN_RECORD, [session, before, OWN_RECORD]);
  return found?.has_own === true;
}

function leafAfter(newestFirst: readonly SessionEntry[], { isOwn }: { readonly isOwn: boolean }): string | null {
  const trail = new LeafTrail({ isOwn });
  for (const entry of newestFirst.toReversed()) trail.take(entry);
  return trail.leaf;
}

/** As much of an entry as moves a leaf. Undefined for what is none. */
function entryIn({ id, parent, kind, line }: TailRow): SessionEntry | undefined {
  const customType = line === null ? undefined : lineFacts(line)?.record.customType;
  const record: RawRecord = { type: kind, id, parentId: parent, customType };
  return isEntry(record) ? record : undefined;
}
