/** Fills a store in PostgreSQL with sessions on the server itself, because pushing that many rows would take hours. */
import { textPool } from "../../generate/text.mjs";

/** The texts of the entries. */
export function texts() {
  return textPool().prose.map((text) => text.replaceAll(/[\\"]/g, " ").slice(0, 200));
}

/** Rows per statement: few enough to report progress often. */
const ROWS_AT_ONCE = 250_000;

/**
 * Straight sessions of small messages, lines of about 340 bytes. Indexes and keys are made afterwards.
 *
 * @param {any} client
 * @param {{ sessions: number, entries: number, rareEvery: number, say?: (words: string) => void, another?: () => Promise<any> }} options
 *   `rareEvery`: one entry in so many has a unique word; `another` connects once more, so that two indexes are made at a time
 */
export async function fill(client, { sessions, entries, rareEvery, say = () => {}, another }) {
  const prose = texts();
  await client.query("create temp table pool (place int primary key, words text)");
  await client.query("insert into pool select n - 1, text from unnest($1::text[]) with ordinality as t (text, n)", [
    prose,
  ]);
  const putBack = await takeIndexes(client);
  await client.query("insert into bough.replica values ('aaaaaaaaaaaaaaaa', 'bench') on conflict do nothing");
  await client.query(
    `insert into bough.session (id, project, title, cwd, head, replicas)
     select 's' || n, 'p' || n % 20, 'Session ' || n, '/p', $2 + 1, '{aaaaaaaaaaaaaaaa}' from generate_series(1, $1) n`,
    [sessions, entries],
  );
  await client.query("begin");
  await client.query("truncate bough.entry");
  await client.query("alter table bough.entry disable trigger user");
  await client.query(HEADERS, [sessions]);
  const step = Math.max(1, Math.floor(ROWS_AT_ONCE / entries));
  for (let from = 1; from <= sessions; from += step) {
    const to = Math.min(sessions, from + step - 1);
    await client.query(ENTRIES, [from, to, entries, prose.length, rareEvery]);
    say(`rows: ${to * entries} of ${sessions * entries}`);
  }
  // What the trigger would have recorded: the header and the first entry each start a run, the others continue one.
  await client.query(
    "insert into bough.run (session, seq) select 's' || n, seq from generate_series(1, $1::int) n, generate_series(1, 2) seq",
    [sessions],
  );
  await client.query("alter table bough.entry enable trigger user");
  await client.query("commit");
  await putBack({ say, another });
  say("vacuum");
  await client.query("vacuum analyze bough.entry");
  await client.query("vacuum analyze bough.session");
  await client.query("vacuum analyze bough.run");
  await client.query("checkpoint");
}

/**
 * Removes everything that costs time with each row, and returns how to make it again.
 *
 * @param {any} client
 */
async function takeIndexes(client) {
  const { rows: keys } = await client.query(
    `select conname as name, pg_get_constraintdef(oid) as made from pg_constraint
     where conrelid = 'bough.entry'::regclass and contype in ('p', 'f') order by contype desc`,
  );
  for (const { name } of [...keys].reverse()) await client.query(`alter table bough.entry drop constraint ${name}`);
  const { rows: indexes } = await client.query(
    "select indexname as name, indexdef as made from pg_indexes where schemaname = 'bough' and tablename = 'entry'",
  );
  for (const { name } of indexes) await client.query(`drop index bough.${name}`);
  // The two word indexes take longest by far, so each gets its own connection.
  const statements = [
    ...indexes.map(({ name, made }) => ({ name, made, first: /using gin/i.test(made) })),
    ...keys.map(({ name, made }) => ({ name, made: `alter table bough.entry add constraint ${name} ${made}` })),
  ];
  return async (/** @type {{ say: (words: string) => void, another?: () => Promise<any> }} */ { say, another }) => {
    const long = statements.filter(({ first }) => first);
    const rest = statements.filter(({ first }) => !first);
    const make = async (/** @type {any} */ at, /** @type {any} */ { name, made }) => {
      say(`index: ${name}`);
      await at.query(made);
    };
    const second = await another?.();
    const [one, ...others] = long;
    await Promise.all([
      one === undefined || second === undefined ? undefined : make(second, one),
      (async () => {
        for (const each of one !== undefined && second === undefined ? long : others) await make(client, each);
      })(),
    ]);
    await second?.end();
    for (const each of rest) await make(client, each);
  };
}

const HEADERS = `
insert into bough.entry (session, seq, hash, id, parent, kind, role, at, replica, line, text)
select 's' || n, 1, sha256(convert_to(line, 'UTF8')), 's' || n, null, 'session', null, '2026-01-01T00:00:00.000Z',
  'aaaaaaaaaaaaaaaa', convert_to(line, 'UTF8'), null
from generate_series(1, $1) n,
  lateral (select '{"type":"session","version":3,"id":"s' || n || '","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}' as line) l`;

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
