/** Search in PostgreSQL: words and parts of words, and the state of each hit in its session. */

import type { HitState } from "@bough/session/session/index.js";
import { makeExcerpt } from "@bough/session/session/internal.js";
import type { StoreHit, StoreSearch } from "../store.js";
import { StoreError } from "../store-error.js";
import { lineFacts } from "../stored-line.js";
import { LONG_ID } from "./columns.js";
import type { Database } from "./database.js";
import { type Numbered, statesOf } from "./postgres-places.js";
import type { SetUp } from "./set-up.js";

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

const COLUMNS = `e.session, e.seq, e.id, e.kind, e.role, e.at, left(e.text, 20000) as text, s.project, s.title, s.cwd,
  case when e.kind = 'label' or length(e.id) = ${LONG_ID} then e.line end as line`;
const found = (condition: string) => `
  select ${COLUMNS} from bough.entry e join bough.session s on s.id = e.session and s.realm = e.realm
  where ${condition} and e.text is not null and ($2::text is null or s.project = $2) and not s.removed
  order by e.at desc nulls last limit $3`;
const WORDS = found("e.words @@ websearch_to_tsquery('simple', $1)");
const PART = found("left(e.text, 20000) ilike $1");
/** Used if users see only their own rows; see `ROW_SECURITY`. */
const OWN = `
  select ${COLUMNS} from bough.found($1, $4, $2, $3) f
  join bough.entry e on e.session = f.session and e.seq = f.seq join bough.session s on s.id = e.session and s.realm = e.realm
  order by e.at desc nulls last`;

/** Newest first. */
export async function searchDatabase(
  database: Database,
  { words, project, limit = LIMIT, signal }: StoreSearch,
  { isRestricted }: SetUp,
): Promise<readonly StoreHit[]> {
  const rest = [project ?? null, limit];
  const find = (text: string, values: readonly unknown[]) => {
    throwIfAborted(signal);
    return database.rows<HitRow>(text, values, { isSlow: true });
  };
  let rows = await (isRestricted ? find(OWN, [words, ...rest, false]) : find(WORDS, [words, ...rest]));
  if (rows.length === 0 && words.length >= 3) {
    const pattern = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
    rows = await (isRestricted ? find(OWN, [words, ...rest, true]) : find(PART, [pattern, ...rest]));
  }
  throwIfAborted(signal);
  const states = rows.length === 0 ? [] : await statesOf(database, rows);
  throwIfAborted(signal);
  return rows.map((row, index) => hitOf(row, { words, state: states[index] ?? "abandoned" }));
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new StoreError("sync-aborted", "The search was stopped", { cause: signal.reason });
}

function hitOf(row: HitRow, { words, state }: { readonly words: string; readonly state: HitState }): StoreHit {
  const { session, role, at, project, title, cwd } = row;
  const id = row.id.length === LONG_ID && row.line !== null ? (lineFacts(row.line)?.id ?? row.id) : row.id;
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
