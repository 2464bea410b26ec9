/** Search in PostgreSQL: words and parts of words, with where each hit is in its session. */

import { makeExcerpt } from "../../session/internal.js";
import type { StoreHit, StoreSearch } from "../store.js";
import { lineFacts } from "../stored-line.js";
import type { Database } from "./database.js";
import { NO_CIRCLE } from "./statements.js";

const LIMIT = 20;
const EXCERPT = 160;

interface HitRow {
  readonly session: string;
  readonly seq: string;
  readonly id: string;
  readonly role: string | null;
  readonly at: string | null;
  readonly text: string;
  readonly project: string | null;
  readonly title: string | null;
  readonly cwd: string | null;
}

/** Newest first. */
export async function searchDatabase(database: Database, query: StoreSearch): Promise<readonly StoreHit[]> {
  const { words, project, limit = LIMIT, signal } = query;
  const found = (condition: string) => `
    select e.session, e.seq, e.id, e.role, e.at, left(e.text, 20000) as text, s.project, s.title, s.cwd
    from bough.entry e join bough.session s on s.id = e.session
    where ${condition} and e.text is not null and ($2::text is null or s.project = $2) and not s.removed
    order by e.at desc nulls last limit $3`;
  const values = [words, project ?? null, limit];
  let rows = await database.rows<HitRow>(found("e.words @@ websearch_to_tsquery('simple', $1)"), values);
  if (rows.length === 0 && words.length >= 3) {
    const escaped = words.replace(/[\\%_]/g, "\\$&");
    rows = await database.rows<HitRow>(found("left(e.text, 20000) ilike $1"), [`%${escaped}%`, ...values.slice(1)]);
  }
  signal?.throwIfAborted();
  const paths = rows.length === 0 ? new Map<string, ActivePath>() : await activePaths(database, rows);
  signal?.throwIfAborted();
  return rows.map((row) => hitOf(row, { words, path: paths.get(row.session) ?? NO_PATH }));
}

/** Which of some entries are on the path to the newest one, and which of those a compaction replaced. */
interface ActivePath {
  readonly active: ReadonlySet<string>;
  readonly compacted: ReadonlySet<string>;
}

const NO_PATH: ActivePath = { active: new Set(), compacted: new Set() };

/** Conversation and state, by the names that files use: what sets the leaf when a session is opened. */
const SETS_LEAF = `('message','compaction','branch_summary','custom_message','model_change','thinking_level_change','mode_change','ttsr_injection','context_edit')`;

/**
 * Up from the newest entry of each session that has hits, and no further than its oldest hit: parents are stored before
 * their children, so there are no more hits above it.
 */
const ACTIVE = `
with recursive wanted as (
  select session, min(seq) as least, array_agg(id) as ids
  from unnest($1::text[], $2::bigint[], $3::text[]) as t (session, seq, id) group by session
), up as (
  select w.session, w.least, w.ids, e.id, e.parent, e.kind, e.seq, 0 as depth from wanted w join lateral (
    select id, parent, kind, seq from bough.entry
    where session = w.session and kind in ${SETS_LEAF} order by seq desc limit 1) e on true
  union all
  select up.session, up.least, up.ids, e.id, e.parent, e.kind, e.seq, up.depth + 1 from up join lateral (
    select id, parent, kind, seq from bough.entry where session = up.session and id = up.parent order by seq limit 1
  ) e on true where up.seq > up.least and e.seq < up.seq
)
select up.session, up.id, up.depth, e.line from up
left join bough.entry e on up.kind = 'compaction' and e.session = up.session and e.seq = up.seq
where up.kind = 'compaction' or up.id = any (up.ids)`;

interface PathRow {
  readonly session: string;
  readonly id: string;
  readonly depth: number;
  /** Of a compaction. */
  readonly line: Buffer | null;
}

async function activePaths(database: Database, hits: readonly HitRow[]): Promise<ReadonlyMap<string, ActivePath>> {
  const found = await database.rows<PathRow>(ACTIVE, [
    hits.map(({ session }) => session),
    hits.map(({ seq }) => seq),
    hits.map(({ id }) => id),
  ]);
  const bySession = new Map<string, PathRow[]>();
  for (const row of found) bySession.set(row.session, [...(bySession.get(row.session) ?? []), row]);
  const paths = await Promise.all(
    [...bySession].map(async ([session, rows]) => [session, await activePath(database, session, rows)] as const),
  );
  return new Map(paths);
}

async function activePath(database: Database, session: string, rows: readonly PathRow[]): Promise<ActivePath> {
  const compaction = rows.filter(({ line }) => line !== null).sort((a, b) => a.depth - b.depth)[0];
  const firstKept = compaction?.line == null ? undefined : lineFacts(compaction.line)?.record.firstKeptEntryId;
  const kept =
    typeof firstKept === "string" ? await depthOf(database, { session, from: compaction?.id, to: firstKept }) : 0;
  const limit = compaction === undefined ? Number.POSITIVE_INFINITY : compaction.depth + kept;
  return {
    active: new Set(rows.filter(({ depth }) => depth <= limit).map(({ id }) => id)),
    compacted: new Set(rows.filter(({ depth }) => depth > limit).map(({ id }) => id)),
  };
}

interface Way {
  readonly session: string;
  readonly from: string | undefined;
  readonly to: string;
}

/** How many entries above `from` the entry `to` is. */
async function depthOf(database: Database, { session, from, to }: Way): Promise<number> {
  const [row] = await database.rows<{ depth: number }>(
    `with recursive up as (
       (select id, parent, 0 as depth from bough.entry where session = $1 and id = $2 order by seq limit 1)
       union all
       select e.id, e.parent, up.depth + 1 from up join lateral (
         select id, parent from bough.entry where session = $1 and id = up.parent order by seq limit 1) e on true
       where up.id <> $3 and ${NO_CIRCLE}
     ) select depth from up where id = $3`,
    [session, from, to],
  );
  return row?.depth ?? 0;
}

function hitOf(row: HitRow, { words, path }: { readonly words: string; readonly path: ActivePath }): StoreHit {
  const { session, id, role, at, project, title, cwd } = row;
  const state = path.active.has(id) ? "active" : path.compacted.has(id) ? "compacted" : "abandoned";
  return {
    sessionId: session,
    entryId: id,
    excerpt: excerptOf(row.text, words),
    state,
    ...(role === null ? {} : { role }),
    ...(at === null ? {} : { at }),
    ...(project === null ? {} : { project }),
    ...(title === null ? {} : { title }),
    ...(cwd === null ? {} : { cwd }),
  };
}

function excerptOf(text: string, words: string): string {
  const lower = text.toLowerCase();
  const terms = words
    .toLowerCase()
    .split(/[\s"]+/)
    .filter(Boolean);
  const found = terms.map((term) => [lower.indexOf(term), term.length] as const).filter(([at]) => at >= 0);
  const [at, length] = found.sort(([a], [b]) => a - b)[0] ?? [0, 0];
  return makeExcerpt(text, [[at, at + length]], EXCERPT).excerpt;
}
