/** SQL statements of the store in PostgreSQL. */

/** The channel on which pushes are announced. */
export const CHANNEL = "bough_session";

/**
 * Whose copy of a session to use. With row security an administrator may see several with one ID, and gets their own
 * first. Everyone else sees at most one.
 */
const realmOf = (session: string) =>
  `(select s.realm from bough.session s where s.id = ${session} order by s.owner <> current_user, s.realm limit 1)`;

/** Like `realmOf`, for a session that may not exist yet. */
const REALM = `coalesce(${realmOf("$1")}, bough.realm())`;

/** Stores new lines, gives each the session's next number, and notifies followers: one statement, one transaction. */
export const PUSH = `
with place as (
  select ${REALM} as realm
), new as (
  select * from unnest($7::bytea[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::text[])
    with ordinality as t (hash, id, parent, kind, role, at, line, text, n)
  where not exists (
    select from bough.entry e where e.session = $1 and e.hash = t.hash and e.realm = (select realm from place))
), numbered as (
  select *, row_number() over (order by n) as place from new
), who as (
  insert into bough.replica (id, name) values ($5, $6) on conflict do nothing
), renamed as (
  update bough.replica set name = $6 where id = $5 and name <> $6
), taken as (
  insert into bough.session as s (id, realm, project, title, cwd, head, replicas, mark)
  values ($1, (select realm from place), $2, $3, $4, (select count(*) from new), array(select $5 where exists (select from new)),
    (select $15::bigint where exists (select from new)))
  on conflict (id, realm) do update set
    head = s.head + (select count(*) from new), mark = coalesce(excluded.mark, s.mark),
    replicas = case when s.replicas @> excluded.replicas then s.replicas else s.replicas || excluded.replicas end,
    project = coalesce(excluded.project, s.project), title = coalesce(excluded.title, s.title),
    cwd = coalesce(s.cwd, excluded.cwd), updated = now()
  where not s.removed
  returning head, mark, realm
), stored as (
  insert into bough.entry (session, realm, seq, hash, id, parent, kind, role, at, replica, line, text, mark)
  select $1, taken.realm, taken.head - (select count(*) from new) + place, hash, numbered.id, parent, kind, role, at, $5, line, text, $15
  from numbered, taken
  on conflict (session, hash, realm) do nothing
  returning 1
), told as (
  select pg_notify('${CHANNEL}', $1) from taken where exists (select from new)
)
select (select head from taken) as head, (select mark from taken) as mark, (select count(*)::int from stored) as added,
  (select count(*)::int from new) as tried, (select count(*) from told) as told,
  (select coalesce(e.mark, 0) from bough.entry e where e.session = $1
    and e.realm = (select realm from place) and e.seq = (select head from taken) - (select count(*) from new)) as mark_before`;

/**
 * Returns numbers that a push took for lines which another push stored meanwhile, unless someone has pushed since: a
 * session's cursor must be that of its last line.
 */
export const END_AT_LINE = `
update bough.session s set head = coalesce(e.seq, 0), mark = e.mark
from (select ${realmOf("$1")} as realm) w left join lateral (
  select seq, mark from bough.entry where session = $1 and realm = w.realm order by seq desc limit 1) e on true
where s.id = $1 and s.realm = w.realm and s.mark = $2`;

/**
 * The next lines after the line with the given number and mark, up to a count and a size, each with the number that
 * they come after. That number is 0 if there is no such line; everything is then returned. If there are no lines, one
 * row has only that number.
 */
export const PULL = `
with place as (
  select removed, owner, realm, case when $2::bigint = 0 or exists (
    select from bough.entry e where e.session = $1 and e.seq = $2 and e.realm = session.realm and coalesce(e.mark, 0) = $5::bigint) then $2 else 0 end as seq
  from bough.session where id = $1 and realm = ${realmOf("$1")}
)
select place.seq as after, place.removed, piece.seq, line, mark, replica, name from place left join lateral (
  select e.seq, e.line, e.mark, e.replica, r.name, row_number() over (order by e.seq) as number,
    sum(octet_length(e.line)) over (order by e.seq) as bytes
  from (select seq, line, mark, replica from bough.entry
    where session = $1 and realm = place.realm and seq > place.seq order by seq limit $3) e
  left join bough.replica r on r.id = e.replica and r.owner in ('', place.owner)
) piece on number = 1 or bytes <= $4 order by piece.seq`;

/** Sessions, each with the names of all replicas that pushed to it. */
export const sessions = (condition: string) => `
select s.id, s.project, s.title, s.cwd, s.head, s.mark, s.updated, s.removed,
  (select json_agg(json_build_object('id', r.id, 'name', r.name)) from bough.replica r
   where r.id = any (s.replicas) and r.owner in ('', s.owner)) as replicas
from bough.session s where (${condition}) and not exists (select from bough.session o
  where o.id = s.id and (o.owner <> current_user, o.realm) < (s.owner <> current_user, s.realm))
order by s.updated desc`;

/** Marks a session as removed, whether or not it existed. */
export const REMOVE = `
insert into bough.session (id, realm, removed) values ($1, ${REALM}, true)
on conflict (id, realm) do update set removed = true, replicas = '{}', head = 0, mark = null, title = null, cwd = null`;

export const REMOVE_LINES = ["entry", "run"].map(
  (table) => `delete from bough.${table} where session = $1 and realm = ${realmOf("$1")}`,
);

export const READMIT = `update bough.session set removed = false where id = $1 and realm = ${realmOf("$1")}`;

/** Sessions by ID, each with the realm of the copy to use. */
const named = (columns: string, names: string) =>
  `(select w.*, ${realmOf("w.session")} as realm from unnest(${columns}) as w (${names}) offset 0)`;

/** The last entries of sessions before a number; the current leaf follows from them. */
export const TAILS = `
select w.session, e.* from ${named("$1::text[]", "session")} w join lateral (
  select seq, id, parent, kind, case when kind in ('custom', 'custom_message') then line end as line from bough.entry
  where session = w.session and realm = w.realm and seq < $2 and kind <> 'session' order by seq desc limit $3) e on true
order by e.seq desc`;

/** Whether a session has one of Bough's own records before a number. Its type is among the first fields of its line. */
export const HAS_OWN_RECORD = `
select exists (select from bough.entry where session = $1 and realm = ${realmOf("$1")} and seq < $2 and kind in ('custom', 'custom_message')
  and position($3::bytea in substring(line from 1 for 4000)) > 0) as has_own`;

/** Which of these sessions have a record whose type is among the first fields of its line. */
export const WITH_RECORD = `
select w.session from ${named("$1::text[]", "session")} w
where exists (select from bough.entry e where e.session = w.session and e.realm = w.realm and e.kind = 'custom'
  and position($2::bytea in substring(e.line from 1 for 4000)) > 0)`;

/** `session` is an alias with the columns `session` and `realm`. */
const firstWithId = (session: string, id: string) =>
  `select seq, kind from bough.entry where session = ${session}.session and realm = ${session}.realm and id = ${id}
   and kind <> 'session' order by seq limit 1`;
const startOfRun = (session: string, seq: string) =>
  `select coalesce(max(seq), ${seq}) as seq from bough.run
   where session = ${session}.session and realm = ${session}.realm and seq <= ${seq}`;

/**
 * Walks up from an entry of each session, run by run; see the migration. It ends even if parents form a cycle: every
 * cycle contains a line that was stored after its child, and such a line is visited only once.
 */
const UP = `
with recursive up as (
  select w.session, w.realm, 0 as depth, r.seq as first, e.seq as last, array[e.seq] as later
  from ${named("$1::text[], $2::text[]", "session, id")} w
  join lateral (${firstWithId("w", "w.id")}) e on true
  join lateral (${startOfRun("w", "e.seq")}) r on true
  union all
  select up.session, up.realm, up.depth + 1, r.seq, e.seq, case when e.seq > up.first then up.later || e.seq else up.later end
  from up
  join bough.entry f on f.session = up.session and f.realm = up.realm and f.seq = up.first
  join lateral (${firstWithId("up", "f.parent")}) e on true
  join lateral (${startOfRun("up", "e.seq")}) r on true
  where e.seq <> all (up.later)
)`;

/** The path to an entry, root first: its lines up to a size, or only its runs if it has more lines than a limit. */
export const PATH = `${UP}, counted as (
  select *, sum(last - first + 1) over () > $3 as is_long from up
)
select depth, seq, replica, last, case when sum(octet_length(line)) over (order by depth desc, seq) <= $4 then line end as line
from (
  select c.depth, coalesce(e.seq, c.first) as seq, case when c.is_long then c.last end as last, e.line, e.replica
  from counted c left join lateral (
    select seq, line, replica from bough.entry
    where session = c.session and realm = c.realm and seq between c.first and c.last and not c.is_long order by seq limit $3) e on true
) found order by depth desc, seq`;

const lastOfKind = (kind: string) => `(select max(c.seq) from bough.entry c where c.session = up.session
  and c.realm = up.realm and c.kind = '${kind}' and c.seq between up.first and up.last)`;

/**
 * The paths to entries, nearest run first, with the last compaction of each or the last point where context was
 * cleared.
 */
export const RUNS = `${UP}
select session, first, last, greatest(${lastOfKind("compaction")}, ${lastOfKind("reset_boundary")}) as compaction
from up order by depth`;

/**
 * The lines of the given runs in order, up to a size. No run has more lines than the inner limit, but without it the
 * server might read the whole session for a few lines.
 */
export const RUN_LINES = `
select n, seq, line, replica from (
  select w.n, e.seq, e.line, e.replica, row_number() over (order by w.n, e.seq) as place,
    sum(octet_length(e.line)) over (order by w.n, e.seq) as bytes
  from unnest($2::bigint[], $3::bigint[]) with ordinality as w (first, last, n)
  join lateral (select seq, line, replica from bough.entry
    where session = $1 and realm = ${realmOf("$1")} and seq between w.first and w.last order by seq limit $5) e on true
) piece where place = 1 or bytes <= $4 order by n, seq`;

/** Lines by number. */
export const LINES_AT = `
select e.session, e.line from ${named("$1::text[], $2::bigint[]", "session, seq")} w
join bough.entry e on e.session = w.session and e.realm = w.realm and e.seq = w.seq`;

/** Numbers of entries by ID. */
export const NUMBERS = `
select w.session, w.id, e.seq, e.kind from ${named("$1::text[], $2::text[]", "session, id")} w
join lateral (${firstWithId("w", "w.id")}) e on true`;

/** The header of a session, with the names of all replicas that pushed to it. */
export const HEADER = `
select (select json_object_agg(r.id, r.name) from bough.replica r
  where r.id = any (s.replicas) and r.owner in ('', s.owner)) as names, e.*
from bough.session s left join lateral (
  select seq, line, replica from bough.entry
  where session = s.id and realm = s.realm and kind = 'session' order by seq limit 1) e on true
where s.id = $1 and s.realm = ${realmOf("$1")}`;
