/** Every database user sees only their own: sessions, names of machines, contents of files. */

/**
 * Who asks, also inside a function that runs with the rights of the owner of the tables. Only a member of a role can set
 * it, and inside such a function no one can.
 */
const CALLER =
  "(select case current_setting('role') when 'none' then session_user::text else current_setting('role') end)";

const TABLES = ["session", "entry", "run", "blob", "replica"];

/** Whether it is on. */
export const HAS_ROW_SECURITY = "select relrowsecurity as is_on from pg_class where oid = to_regclass('bough.entry')";

/** So that migrations see the rows of all users. In the same transaction it is switched on again. */
export const WITHOUT_ROW_SECURITY = TABLES.map(
  (table) => `alter table if exists bough.${table} disable row level security;`,
).join("\n");

/**
 * Two users may have the same content, push from the same machine, or have sessions with the same ID: each has a row, and
 * no one needs another's.
 */
const KEYS = `
  do $$
  begin
    if exists (select from pg_index where indrelid = 'bough.blob'::regclass and indisprimary and indnkeyatts = 1) then
      alter table bough.blob drop constraint blob_pkey, add primary key (hash, owner);
      alter table bough.replica drop constraint replica_pkey, add primary key (id, owner);
    end if;
  end $$;
  alter table bough.blob alter column owner set default current_user;
  alter table bough.replica alter column owner set default current_user;
  create or replace function bough.realm() returns text stable language sql as $$ select current_user::text $$;
  update bough.session set realm = owner where realm = '';
  update bough.run r set realm = s.realm from bough.session s where r.realm = '' and s.id = r.session;`;

/**
 * Rows from before they had owners go to all whose sessions name them. Contents that are named only inside of another
 * content go to the only user; if there are several, they are kept and none of them sees them.
 */
const OWNERS = `
  insert into bough.replica (id, name, owner)
    select distinct r.id, r.name, s.owner from bough.replica r join bough.session s on r.id = any (s.replicas)
    where r.owner = '' on conflict do nothing;
  delete from bough.replica where owner = '';
  do $$
  begin
    if not exists (select from bough.blob where owner = '') then return; end if;
    if (select count(distinct owner) = 1 from bough.session) then
      update bough.blob b set owner = (select min(owner) from bough.session) where owner = '' and not exists (
        select from bough.blob o where o.hash = b.hash and o.owner <> '');
      return;
    end if;
    insert into bough.blob (hash, content, owner)
      select b.hash, b.content, n.owner from (
        select distinct s.owner, decode(m.found[1], 'hex') as hash
        from bough.entry e join bough.session s on s.id = e.session and s.realm = e.realm
        cross join lateral regexp_matches(encode(e.line, 'escape'), '"([0-9a-f]{64})"', 'g') as m (found)
        where e.kind = 'custom'
      ) n join bough.blob b on b.hash = n.hash and b.owner = ''
      on conflict do nothing;
    delete from bough.blob b where owner = '' and exists (
      select from bough.blob o where o.hash = b.hash and o.owner <> '');
  end $$;`;

const each = (action: (table: string) => string) =>
  TABLES.map((table) => `alter table bough.${table} ${action(table)} row level security;`).join("\n  ");
const own = (name: string, table: string, columns: readonly string[]) => {
  const isCaller = columns.map((column) => `${column} = ${CALLER}`).join(" and ");
  return `
  drop policy if exists ${name} on bough.${table};
  create policy ${name} on bough.${table} using (${isCaller}) with check (${isCaller});`;
};

/** Also for the owner of the tables, except for entries; see `FOUND`. */
const POLICIES = `
  ${each(() => "enable")}
  ${each((table) => (table === "entry" ? "no force" : "force"))}
  ${own("own_sessions", "session", ["realm", "owner"])}
  ${own("own_entries", "entry", ["realm"])}
  ${own("own_runs", "run", ["realm"])}
  ${own("own_contents", "blob", ["owner"])}
  ${own("own_replicas", "replica", ["owner"])}`;

/**
 * Search. Where rows are hidden, the server looks at every row before it tries a word, and its word indexes are of no
 * use. So this function has the rights of the owner of the tables, who is not kept from entries, and names itself whose
 * sessions it looks in. Everyone may call it.
 *
 * It looks at entries of others on the way, so nothing may fail because of what is in them: it takes words and not a
 * pattern, as a pattern that ends in the middle of an escape fails only if the text before it is found. It has no
 * backslash, because callers can change what that means, and looks up no name where callers can put their own.
 */
const FOUND = `
  create or replace function bough.found(wanted text, is_part boolean, in_project text, most int)
  returns table (session text, seq bigint)
  stable security definer set search_path = pg_catalog, pg_temp language plpgsql as $$
  begin
    -- Planned for the words that are asked for: those of a few entries and those of nearly all need other plans.
    return query execute 'select e.session, e.seq from bough.entry e join bough.session s on s.id = e.session
      and s.realm = e.realm where '
      || case when is_part then 'left(e.text, 20000) ilike $1 escape ''!'''
        else 'e.words @@ websearch_to_tsquery(''simple'', $1)' end
      || ' and e.text is not null and ($2 is null or s.project = $2) and not s.removed and s.owner = $4
        order by e.at desc nulls last limit $3'
      using case when is_part
        then '%' || replace(replace(replace(wanted, '!', '!!'), '%', '!%'), '_', '!_') || '%' else wanted end,
        in_project, most, ${CALLER};
  end $$;
  do $$
  begin
    -- It may be a superuser who runs this.
    execute (select format('alter function bough.found(text, boolean, text, int) owner to %I', pg_get_userbyid(relowner))
      from pg_class where oid = 'bough.entry'::regclass);
  end $$;`;

/** May be run any number of times, with `WITHOUT_ROW_SECURITY` before it in the same transaction. */
export const ROW_SECURITY = [KEYS, OWNERS, POLICIES, FOUND].join("\n");
