/** The statements of the store in PostgreSQL. */

/** Where pushes are announced. */
export const CHANNEL = "bough_session";

/** Stores new lines of a session, gives each the next number there, and tells followers: one statement, one transaction. */
export const PUSH = `
with new as (
  select * from unnest($7::bytea[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bytea[], $14::text[])
    with ordinality as t (hash, id, parent, kind, role, at, line, text, n)
  where not exists (select from bough.entry e where e.session = $1 and e.hash = t.hash)
), numbered as (
  select *, row_number() over (order by n) as place from new
), who as (
  insert into bough.replica (id, name) values ($5, $6)
  on conflict (id) do update set name = excluded.name where bough.replica.name <> excluded.name
), taken as (
  insert into bough.session as s (id, project, title, cwd, head, replicas)
  values ($1, $2, $3, $4, (select count(*) from new), array(select $5 where exists (select from new)))
  on conflict (id) do update set
    head = s.head + (select count(*) from new),
    replicas = case when s.replicas @> excluded.replicas then s.replicas else s.replicas || excluded.replicas end,
    project = coalesce(excluded.project, s.project), title = coalesce(excluded.title, s.title),
    cwd = coalesce(s.cwd, excluded.cwd), updated = now()
  where not s.removed
  returning head
), stored as (
  insert into bough.entry (session, seq, hash, id, parent, kind, role, at, replica, line, text)
  select $1, taken.head - (select count(*) from new) + place, hash, numbered.id, parent, kind, role, at, $5, line, text
  from numbered, taken
  on conflict (session, hash) do nothing
  returning 1
), told as (
  select pg_notify('${CHANNEL}', $1) from taken where exists (select from new)
)
select (select head from taken) as head, (select count(*)::int from stored) as added, (select count(*) from told) as told`;

/** The next lines after a number, up to a count and a size. */
export const PULL = `
select seq, line, replica, name from (
  select e.seq, e.line, e.replica, r.name, row_number() over (order by e.seq) as place,
    sum(octet_length(e.line)) over (order by e.seq) as bytes
  from (select * from bough.entry where session = $1 and seq > $2 order by seq limit $3) e
  left join bough.replica r on r.id = e.replica
) piece where place = 1 or bytes <= $4 order by seq`;

/** The last lines before a number: where a session is follows from them. */
export const TAIL = `
select seq, line from bough.entry where session = $1 and seq < $2 and kind <> 'session' order by seq desc limit $3`;

/** Ends a walk upwards that goes in a circle: no path is longer than its session. */
export const NO_CIRCLE = "up.depth < (select head from bough.session where id = $1)";

/** The lines from the root to an entry: the numbers of all, and the newest lines up to a size. */
export const PATH = `
with recursive up as (
  (select seq, parent, line, replica, 0 as depth from bough.entry
   where session = $1 and kind <> 'session' and id = $2 order by seq limit 1)
  union all
  select e.seq, e.parent, e.line, e.replica, up.depth + 1 from up join lateral (
    select seq, parent, line, replica from bough.entry where session = $1 and id = up.parent and kind <> 'session'
    order by seq limit 1) e on true where ${NO_CIRCLE}
), sized as (
  select *, sum(octet_length(line)) over (order by depth) as bytes from up
)
select seq, replica, case when bytes <= $3 then line end as line from sized order by depth desc`;

/** Lines by their numbers, in that order. */
export const LINES = `
select e.seq, e.line, e.replica from unnest($2::bigint[]) with ordinality as wanted (seq, n)
join bough.entry e on e.session = $1 and e.seq = wanted.seq order by n`;

/** The header of a session with the names of all that pushed to it. */
export const HEADER = `
select (select json_object_agg(r.id, r.name) from bough.replica r where r.id = any (s.replicas)) as names, e.*
from bough.session s left join lateral (
  select seq, line, replica from bough.entry where session = s.id and kind = 'session' order by seq limit 1) e on true
where s.id = $1`;
