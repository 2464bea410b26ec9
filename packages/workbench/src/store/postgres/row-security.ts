/** Row-level security: each database user sees only their own sessions, machine names and file contents. */

/**
 * The calling user, even inside a function that runs with the rights of the tables' owner. Only a member of a role can
 * set that role, and inside such a function nobody can.
 */
const CALLER =
  "(select case current_setting('role') when 'none' then session_user::text else current_setting('role') end)";

const TABLES = ["session", "entry", "run", "blob", "replica"];

/** Whether row security is on. */
export const HAS_ROW_SECURITY = "select relrowsecurity as is_on from pg_class where oid = to_regclass('bough.entry')";

/** Lets migrations see the rows of all users. Row security is turned on again in the same transaction. */
export const WITHOUT_ROW_SECURITY = TABLES.map(
  (table) => `alter table if exists bough.${table} disable row level security;`,
).join("\n");

/**
 * Two users may have the same content, push from the same machine, or have sessions with the same ID, so each has a row
 * of their own.
 */
export const KEYS_BY_OWNER = `
  do $$
  begin
    if exists (select from pg_index where indrelid = 'bough.blob'::regclass and indisprimary and indnkeyatts = 1) then
      alter table bough.blob drop constraint blob_pkey, add primary key (hash, owner);
      alter table bough.replica drop constraint replica_pkey, add primary key (id, owner);
    end if;
  end $$;`;
const KEYS = `${KEYS_BY_OWNER}
  alter table bough.blob alter column owner set default current_user;
  alter table bough.replica alter column owner set default current_user;
  create or replace function bough.realm() returns text stable language sql as $$ select current_user::text $$;
  update bough.session set realm = owner where realm = '';
  update bough.run r set realm = s.realm from bough.session s where r.realm = '' and s.id = r.session;`;

/**
 * Assigns rows from before rows had owners to every user whose sessions name them. Contents that are named only inside
 * another content go to the only user; if there are several users, they are kept, but no one sees them.
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

/** These also apply to the owner of the tables, except for entries and runs, which functions read and write with its rights. */
const POLICIES = `
  ${each(() => "enable")}
  ${each((table) => (table === "entry" || table === "run" ? "no force" : "force"))}
  ${own("own_sessions", "session", ["realm", "owner"])}
  ${own("own_entries", "entry", ["realm"])}
  ${own("own_runs", "run", ["realm"])}
  ${own("own_contents", "blob", ["owner"])}
  ${own("own_replicas", "replica", ["owner"])}
  drop policy if exists seen on bough.log;
  create policy seen on bough.log for select using (who = ${CALLER});`;

/**
 * Search. With row security, the server checks every row before it looks for a word, and cannot use its word indexes.
 * So this function runs with the rights of the tables' owner, who can see all entries, and itself restricts the search
 * to the caller's sessions: `isTheirs` is the condition, `values` its parameters from $4 on. Everyone may call it.
 *
 * On the way it looks at entries of other users, so it must never fail depending on their contents. It takes words
 * rather than a pattern, because a pattern that ends in the middle of an escape fails only if the text before it
 * matches. It contains no backslash, whose meaning callers can change, and resolves no name in a schema that callers
 * can write to.
 */
export const foundIn = (isTheirs: string, values: string) => `
  create or replace function bough.found(wanted text, is_part boolean, in_project text, most int)
  returns table (session text, seq bigint)
  stable security definer set search_path = pg_catalog, pg_temp language plpgsql as $$
  begin
    -- Planned for the words that are asked for: those of a few entries and those of nearly all need other plans.
    return query execute 'select e.session, e.seq from bough.entry e join bough.session s on s.id = e.session
      and s.realm = e.realm where '
      || case when is_part then 'left(e.text, 20000) ilike $1 escape ''!'''
        else 'e.words @@ websearch_to_tsquery(''simple'', $1)' end
      || ' and e.text is not null and ($2 is null or s.project = $2) and not s.removed and ${isTheirs}
        order by e.at desc nulls last limit $3'
      using case when is_part
        then '%' || replace(replace(replace(wanted, '!', '!!'), '%', '!%'), '_', '!_') || '%' else wanted end,
        in_project, most, ${values};
  end $$;
  do $$
  begin
    -- It may be a superuser who runs this.
    execute (select format('alter function bough.found(text, boolean, text, int) owner to %I', pg_get_userbyid(relowner))
      from pg_class where oid = 'bough.entry'::regclass);
  end $$;`;

/** Can be run repeatedly, after `WITHOUT_ROW_SECURITY` in the same transaction. */
export const ROW_SECURITY = [KEYS, OWNERS, POLICIES, foundIn("s.owner = $4", CALLER)].join("\n");
