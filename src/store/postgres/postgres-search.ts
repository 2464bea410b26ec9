/** Search in PostgreSQL: words and parts of words, with where each hit is in its session. */

import type { HitState } from "../../session/index.js";
import { makeExcerpt } from "../../session/internal.js";
import type { StoreHit, StoreSearch } from "../store.js";
import type { Database } from "./database.js";
import { type Numbered, statesOf } from "./postgres-places.js";

const LIMIT = 20;
const EXCERPT = 160;

interface HitRow extends Numbered {
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
    select e.session, e.seq, e.id, e.kind, e.role, e.at, left(e.text, 20000) as text, s.project, s.title, s.cwd,
      case when e.kind = 'label' then e.line end as line
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
  const states = rows.length === 0 ? [] : await statesOf(database, rows);
  signal?.throwIfAborted();
  return rows.map((row, index) => hitOf(row, { words, state: states[index] ?? "abandoned" }));
}

function hitOf(row: HitRow, { words, state }: { readonly words: string; readonly state: HitState }): StoreHit {
  const { session, id, role, at, project, title, cwd } = row;
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
