/** The current leaf of sessions in PostgreSQL, by the same rules as when opening a file. */
import { kindOf, LeafEffect, leafEffect, type SessionEntry } from "@bough/session/entry/index.js";
import {
  ATTEMPT_TYPE,
  isEntry,
  LeafRule,
  LeafTrail,
  OWN_PREFIX,
  type RawRecord,
  SUBAGENT_TYPE,
} from "@bough/session/entry/internal.js";
import { lineFacts } from "../stored-line.js";
import type { Database } from "./database.js";
import { HAS_OWN_RECORD, TAILS, WITH_RECORD } from "./statements.js";

/** Nearly always the last line decides, but a few more cost less than a second query. */
const FIRST_LINES = 16;
const MORE_LINES = 1_000;
const END = String(Number.MAX_SAFE_INTEGER);
/** Below them, others work while the leaf is elsewhere. */
const ASIDE_RECORDS = [SUBAGENT_TYPE, ATTEMPT_TYPE].map((type) => Buffer.from(`"customType":"${type}"`));
const OWN_RECORD = Buffer.from(`"customType":"${OWN_PREFIX}`);

interface TailRow {
  readonly session: string;
  readonly seq: string;
  readonly id: string;
  readonly parent: string | null;
  readonly kind: string;
  /** Set for custom entries, which may be position records or other records of Bough's. */
  readonly line: Buffer | null;
}

/** The leaf of each session; sessions without a leaf, or positioned before the first entry, are missing. */
export async function leavesOf(database: Database, sessions: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const tails = await tailsOf(database, sessions, { before: END, limit: FIRST_LINES });
  const rows = await Promise.all(
    ASIDE_RECORDS.map((one) => database.rows<{ readonly session: string }>(WITH_RECORD, [sessions, one])),
  );
  const withSubagents = new Set(rows.flat().map(({ session }) => session));
  const found = await Promise.all(
    [...tails].map(async ([session, tail]) => {
      const leaf = await leafOf(database, session, { tail, whole: withSubagents.has(session) });
      return [session, leaf] as const;
    }),
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

/**
 * Reads backwards to the last entry that sets the leaf regardless of earlier ones, then applies the rest in order. In a
 * session with sub-agents there is no such entry, because it may be theirs: `whole` reads everything.
 */
async function leafOf(
  database: Database,
  session: string,
  { tail, whole }: { readonly tail: readonly TailRow[]; readonly whole: boolean },
): Promise<string | null> {
  const after: SessionEntry[] = [];
  let before = END;
  for (let rows = tail; rows.length > 0; ) {
    for (const row of rows) {
      before = row.seq;
      const entry = entryIn(row);
      if (entry === undefined) continue;
      after.push(entry);
      const effect = leafEffect(kindOf(entry));
      if (!whole && (effect === LeafEffect.sets || effect === LeafEffect.points)) {
        return leafAfter(after, { isOwn: await isOwnBefore(database, session, { before, after }) });
      }
    }
    rows = (await tailsOf(database, [session], { before, limit: MORE_LINES })).get(session) ?? [];
  }
  return leafAfter(after, { isOwn: false });
}

/**
 * Whether one of Bough's own records came before these lines. Queried only if it matters, as it may scan all of them.
 */
async function isOwnBefore(
  database: Database,
  session: string,
  { before, after }: { readonly before: string; readonly after: readonly SessionEntry[] },
): Promise<boolean> {
  const matters = after.some(
    (entry) => LeafRule.strongestEffect(kindOf(entry), entry.id) !== leafEffect(kindOf(entry)),
  );
  if (!matters) return false;
  const [found] = await database.rows<{ readonly has_own: boolean }>(HAS_OWN_RECORD, [session, before, OWN_RECORD]);
  return found?.has_own === true;
}

function leafAfter(newestFirst: readonly SessionEntry[], { isOwn }: { readonly isOwn: boolean }): string | null {
  const trail = new LeafTrail({ isOwn });
  for (const entry of newestFirst.toReversed()) trail.take(entry);
  return trail.leaf;
}

/** The part of an entry that affects the leaf. Undefined if the row is not an entry. */
function entryIn({ id, parent, kind, line }: TailRow): SessionEntry | undefined {
  const customType = line === null ? undefined : lineFacts(line)?.record.customType;
  const record: RawRecord = { type: kind, id, parentId: parent, customType };
  return isEntry(record) ? record : undefined;
}
