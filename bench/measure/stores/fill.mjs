/** Fills a store in PostgreSQL with sessions, on the server itself: as many rows through the library would take hours. */
import { textPool } from "../../generate/text.mjs";

/** In one entry of so many there is a word that is nowhere else. */
export const RARE_EVERY = 50_000;

/**
 * Straight sessions of small messages, lines of about 340 bytes. Indexes of words are made afterwards.
 *
 * @param {any} client
 * @param {{ sessions: number, entries: number }} size
 */
export async function fill(client, { sessions, entries }) {
  const { prose } = textPool();
  await client.query("create temp table pool (place int primary key, words text)");
  await client.query("insert into pool select n - 1, text from unnest($1::text[]) with ordinality as t (text, n)", [
    prose.map((text) => text.replaceAll(/[\\"]/g, " ").slice(0, 200)),
  ]);
  const indexes = await client.query(
    "select indexname, indexdef from pg_indexes where schemaname = 'bough' and indexname in ('entry_words', 'entry_trigrams', 'entry_at', 'entry_id', 'entry_hash')",
  );
  for (const { indexname } of indexes.rows) await client.query(`drop index bough.${indexname}`);
  await client.query("set synchronous_commit = off");
  await client.query("insert into bough.replica values ('aaaaaaaaaaaaaaaa', 'bench') on conflict do nothing");
  await client.query(
    `insert into bough.session (id, project, title, cwd, head, replicas)
     select 's' || n, 'p' || n % 20, 'Session ' || n, '/p', $2 + 1, '{aaaaaaaaaaaaaaaa}' from generate_series(1, $1) n`,
    [sessions, entries],
  );
  await client.query(
    `insert into bough.entry (session, seq, hash, id, parent, kind, role, at, replica, line, text)
     select 's' || n, 1, sha256(convert_to(line, 'UTF8')), 's' || n, null, 'session', null, '2026-01-01T00:00:00.000Z',
       'aaaaaaaaaaaaaaaa', convert_to(line, 'UTF8'), null
     from generate_series(1, $1) n,
       lateral (select '{"type":"session","version":3,"id":"s' || n || '","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}' as line) l`,
    [sessions],
  );
  const step = Math.max(1, Math.floor(250_000 / entries));
  for (let from = 1; from <= sessions; from += step) {
    await client.query(ENTRIES, [from, Math.min(sessions, from + step - 1), entries, prose.length, RARE_EVERY]);
  }
  for (const { indexdef } of indexes.rows) await client.query(indexdef);
  await client.query("vacuum analyze bough.entry");
  await client.query("vacuum analyze bough.session");
  await client.query("set synchronous_commit = on");
}

const ENTRIES = `
insert into bough.entry (session, seq, hash, id, parent, kind, role, at, replica, line, text)
select 's' || s, n + 1, sha256(convert_to(line, 'UTF8')), id, parent, 'message', role, at, 'aaaaaaaaaaaaaaaa',
  convert_to(line, 'UTF8'), said
from generate_series($1::int, $2::int) s cross join generate_series(1, $3::int) n
join lateral (select
  lpad(to_hex(s), 6, '0') || lpad(to_hex(n), 6, '0') as id,
  case when n = 1 then null else lpad(to_hex(s), 6, '0') || lpad(to_hex(n - 1), 6, '0') end as parent,
  case when n % 2 = 1 then 'user' else 'assistant' end as role,
  to_char(timestamp '2026-01-01' + make_interval(secs => n * 30 + s), 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"') as at
) a on true
join pool on pool.place = (s::bigint * 7919 + n::bigint * 104729) % $4::int
join lateral (select pool.words || case when (s::bigint * $3::int + n) % $5::int = 17 then ' marmalade' else '' end as said) t on true
join lateral (select '{"type":"message","id":"' || id || '","parentId":' || coalesce('"' || parent || '"', 'null') ||
  ',"timestamp":"' || at || '","message":{"role":"' || role || '","content":"' || said ||
  '","timestamp":1767225600000},"x":"' || id || '"}' as line) l on true`;
