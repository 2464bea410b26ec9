/**
 * Roles: readers see sessions, writers also push, owners also remove, prune and manage users; anyone but an owner may
 * be limited to some projects. Only the owner of the tables can write to them. Pushes and removals are functions
 * that run with the rights of that owner and check the role of the caller first, so what a writer does with SQL of
 * their own is held to the same rules.
 */
import { SEAL_MARK } from "../seal-mark.js";
import { foundIn, KEYS_BY_OWNER } from "./row-security.js";
import { END_AT_LINE, PUSH, READMIT, REMOVE, REMOVE_LINES } from "./statements.js";

/** An arbitrary key for the advisory lock that makes concurrent changes of the tables and their rights wait. */
export const LOCK = 20_260_711;

const DEFINER = "security definer set search_path = pg_catalog, pg_temp";

/** Who asks, and what they may see. The owner of the tables, members of that role, and superusers are always owners. */
const CALLER = `
  create or replace function bough.own_role() returns text stable ${DEFINER} language sql as $$
    select case when pg_has_role(r.oid, e.relowner, 'USAGE') then 'owner'
      else (select m.role from bough.member m where m.name = bough.caller()) end
    from pg_roles r, pg_class e where r.rolname = bough.caller() and e.oid = 'bough.entry'::regclass
  $$;
  create or replace function bough.own_projects() returns text[] stable ${DEFINER} language sql as $$
    select m.projects from bough.member m where m.name = bough.caller()
  $$;
  create or replace function bough.sees_all() returns boolean stable ${DEFINER} language sql as $$
    select coalesce(bough.own_role() is not null and bough.own_projects() is null, false)
  $$;`;

/**
 * Raises an error unless the caller has one of the roles and may use each of the projects. Taking a role away waits for
 * what is running with it.
 */
const CHECK = `
  create or replace function bough.check_role(allowed text[], what text, in_projects text[]) returns void
  ${DEFINER} language plpgsql as $$
  declare theirs bough.member;
  declare hidden text;
  begin
    select * into theirs from bough.member where name = bough.caller() for share;
    if bough.own_role() = 'owner' then return; end if;
    if theirs.role is null then
      raise exception '% has no role in this store', bough.caller() using errcode = 'BG001';
    end if;
    if theirs.role <> all (allowed) then
      raise exception '% is a % of this store and cannot %', bough.caller(), theirs.role, what using errcode = 'BG002';
    end if;
    if theirs.projects is null then return; end if;
    select coalesce(p, '') into hidden from unnest(in_projects) p where (p = any (theirs.projects)) is not true limit 1;
    if hidden is null then return; end if;
    raise exception '% has no access to %', bough.caller(),
      case hidden when '' then 'sessions without a project' else 'the project ' || hidden end using errcode = 'BG002';
  end $$;`;

const WRITERS = "array['writer', 'owner']";
const OWNERS_ONLY = "array['owner']";

/** Contents that entries name, as rows for another project. */
function named(condition: string, project: string): string {
  return `select distinct on (b.hash, ${project}) b.hash, b.content, ${project}, b.is_plain
    from bough.entry e join bough.session s on s.id = e.session and s.realm = e.realm
    cross join lateral regexp_matches(encode(e.line, 'escape'), '"([0-9a-f]{64})"', 'g') as m (found)
    join bough.blob b on b.hash = decode(m.found[1], 'hex')
    where e.kind = 'custom' and ${condition} order by b.hash, ${project}, b.is_plain desc`;
}

const PUSHES = `
  create or replace function bough.push(in_session text, in_project text, in_title text, in_cwd text, in_replica text,
    in_name text, hashes bytea[], ids text[], parents text[], kinds text[], roles text[], times text[], lines bytea[],
    texts text[], in_mark bigint)
  returns table (head bigint, mark bigint, added int, tried int, told bigint, mark_before bigint)
  ${DEFINER} language plpgsql as $$
  declare there bough.session;
  declare is_new boolean;
  declare is_mark boolean := in_session = '${SEAL_MARK}';
  declare has_others boolean := is_mark and exists (select from bough.session s where s.id <> in_session);
  begin
    perform bough.check_role(${WRITERS}, 'push', '{}');
    -- Waits for a push that is creating or moving the session, so that its project is known until this one ends.
    insert into bough.session (id, owner) values (in_session, bough.caller()) on conflict do nothing;
    is_new := found;
    select * into there from bough.session s where s.id = in_session for no key update;
    -- The mark of an encrypted store, which every user must see, has its keys. With it, the store is closed to others.
    perform bough.check_role(
      case when is_mark and (not is_new or has_others) then ${OWNERS_ONLY} else ${WRITERS} end,
      case when not is_mark then 'push' when is_new then 'encrypt a store that has sessions' else 'change the passphrase' end,
      array[coalesce(in_project, there.project)] || case when is_new then '{}' else array[there.project] end);
    if exists (select from unnest(hashes, lines) as l (hash, line) where l.hash is distinct from sha256(l.line)) then
      raise exception 'A line does not match its hash' using errcode = 'BG004';
    end if;
    return query execute $push$ ${PUSH} $push$ using in_session, in_project, in_title, in_cwd, in_replica, in_name,
      hashes, ids, parents, kinds, roles, times, lines, texts, in_mark;
    if not is_new and in_project <> coalesce(there.project, '') then
      insert into bough.blob (hash, content, owner, is_plain) ${named("e.session = in_session and b.owner = coalesce(there.project, '')", "in_project")}
        on conflict do nothing;
    end if;
  end $$;
  create or replace function bough.end_at_line(in_session text, in_mark bigint) returns void
  ${DEFINER} language plpgsql as $$
  begin
    perform bough.check_role(${WRITERS}, 'push', '{}');
    execute $end$ ${END_AT_LINE} $end$ using in_session, in_mark;
  end $$;
  create or replace function bough.put(hashes bytea[], contents bytea[], in_session text, in_project text) returns void
  ${DEFINER} language plpgsql as $$
  declare theirs text := coalesce(in_project, (select project from bough.session where id = in_session));
  begin
    perform bough.check_role(${WRITERS}, 'push', array[theirs]);
    -- A sealed name is longer than a hash, and takes a key to check.
    if exists (select from unnest(hashes, contents) as c (hash, content)
      where length(c.hash) <> 33 and c.hash is distinct from sha256(c.content)) then
      raise exception 'A content does not match its hash' using errcode = 'BG004';
    end if;
    -- Nothing checked the compressed contents from before there were roles.
    insert into bough.blob as b (hash, content, owner, is_plain)
      select c.hash, c.content, coalesce(theirs, ''), true from unnest(hashes, contents) as c (hash, content)
      on conflict (hash, owner) do update set content = excluded.content, is_plain = true where not b.is_plain;
  end $$;`;

const REMOVALS = `
  create or replace function bough.remove(in_session text) returns void ${DEFINER} language plpgsql as $$
  begin
    perform bough.check_role(${OWNERS_ONLY}, 'remove sessions', '{}');
    execute $do$ ${REMOVE} $do$ using in_session;
    ${REMOVE_LINES.map((sql) => `execute $do$ ${sql} $do$ using in_session;`).join("\n    ")}
  end $$;
  create or replace function bough.readmit(in_session text) returns void ${DEFINER} language plpgsql as $$
  begin
    perform bough.check_role(${OWNERS_ONLY}, 'put back a removed session', '{}');
    execute $do$ ${READMIT} $do$ using in_session;
  end $$;`;

/** Tables that everyone with a role can read; row security decides which rows. */
const SEEN = ["migration", "setting", "member", "log", "replica", "session", "entry", "run", "blob"]
  .map((table) => `bough.${table}`)
  .join(", ");

/** Users exist in the database; this only gives them a role. */
const MEMBERS = `
  create or replace function bough.grant_reading(to_name text) returns void ${DEFINER} language plpgsql as $$
  begin
    execute format('grant usage on schema bough to %I', to_name);
    execute format('grant select on ${SEEN} to %I', to_name);
  end $$;
  revoke execute on function bough.grant_reading(text) from public;
  create or replace function bough.set_member(in_name text, in_role text, in_projects text[]) returns void
  ${DEFINER} language plpgsql as $$
  begin
    -- Rights cannot be granted by two at once.
    perform pg_advisory_xact_lock(${LOCK});
    perform bough.check_role(${OWNERS_ONLY}, 'manage users', '{}');
    if not exists (select from pg_roles where rolname = in_name) then
      raise exception 'The database has no user %', in_name using errcode = 'BG005';
    end if;
    insert into bough.member as m values (in_name, in_role, in_projects)
      on conflict (name) do update set role = excluded.role, projects = excluded.projects;
    perform bough.grant_reading(in_name);
    insert into bough.log (who, did, detail) values (bough.caller(), 'user added',
      in_name || ', ' || in_role || coalesce(', ' || array_to_string(in_projects, ', '), ''));
  end $$;
  create or replace function bough.drop_member(in_name text) returns boolean ${DEFINER} language plpgsql as $$
  begin
    -- Rights cannot be granted by two at once.
    perform pg_advisory_xact_lock(${LOCK});
    perform bough.check_role(${OWNERS_ONLY}, 'manage users', '{}');
    delete from bough.member where name = in_name;
    if not found then return false; end if;
    if exists (select from pg_roles where rolname = in_name) then
      execute format('revoke all on all tables in schema bough from %I', in_name);
    end if;
    insert into bough.log (who, did, detail) values (bough.caller(), 'user removed', in_name);
    return true;
  end $$;`;

const sees = (name: string, table: string, condition: string) => `
  drop policy if exists ${name} on bough.${table};
  create policy ${name} on bough.${table} for select using ((select bough.sees_all()) or ${condition});`;
const THEIR_PROJECT = "= any ((select bough.own_projects())::text[])";
const inSession = (table: string) =>
  `exists (select from bough.session s where s.id = ${table}.session and s.realm = ${table}.realm)`;

const POLICIES = `
  ${["session", "entry", "run", "blob", "replica"].map((table) => `alter table bough.${table} enable row level security;`).join("\n  ")}
  ${sees("seen", "session", `project ${THEIR_PROJECT} or (id = '${SEAL_MARK}' and (select bough.own_role()) is not null)`)}
  ${sees("seen", "entry", inSession("entry"))}
  ${sees("seen", "run", inSession("run"))}
  ${sees("seen", "blob", `owner ${THEIR_PROJECT}`)}
  ${sees("seen", "log", `project ${THEIR_PROJECT}`)}
  ${sees("seen", "replica", "(select bough.own_role()) is not null")}
  ${sees("seen", "member", "(select bough.own_role()) is not null")}`;

/** Contents from before there were roles belong to the projects whose sessions name them. */
const CONTENTS = `
  insert into bough.blob (hash, content, owner, is_plain) ${named("b.owner = '' and s.project is not null", "s.project")}
    on conflict do nothing;`;

/** Rights that were granted by hand would go around the roles. */
const RIGHTS = `
  do $$
  declare granted record;
  declare made text;
  begin
    for granted in select distinct c.oid::regclass::text as name, grantee from pg_class c, aclexplode(c.relacl)
      where c.relnamespace = 'bough'::regnamespace and c.relkind = 'r' and grantee <> c.relowner
    loop
      execute format('revoke all on %s from %s', granted.name,
        case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
    end loop;
    -- It may be a superuser who runs this.
    for made in select format('alter function %s owner to %I', p.oid::regprocedure, pg_get_userbyid(e.relowner))
      from pg_proc p, pg_class e
      where p.pronamespace = 'bough'::regnamespace and e.oid = 'bough.entry'::regclass and p.proowner <> e.relowner
    loop
      execute made;
    end loop;
    perform bough.grant_reading(name) from bough.member where name in (select rolname from pg_roles);
  end $$;`;

/** Turns roles on. Can be run repeatedly, after `WITHOUT_ROW_SECURITY` in the same transaction. */
export const TEAM = [
  KEYS_BY_OWNER,
  CALLER,
  CHECK,
  PUSHES,
  REMOVALS,
  MEMBERS,
  foundIn("($4 or s.project = any ($5))", "bough.sees_all(), bough.own_projects()"),
  POLICIES,
  RIGHTS,
  "insert into bough.setting values ('sharing', 'team') on conflict (name) do update set value = excluded.value;",
].join("\n");

/** Turns roles on for the first time. */
export const NEW_TEAM = `${TEAM}\n${CONTENTS}`;

/** What `PUSH`, `REMOVE` and others do directly, for a store with roles. */
export const AS_MEMBER = {
  push: `select * from bough.push(${Array.from({ length: 15 }, (_, n) => `$${n + 1}`).join(", ")})`,
  endAtLine: "select bough.end_at_line($1, $2)",
  put: "select bough.put($1::bytea[], $2::bytea[], $3, $4)",
  remove: "select bough.remove($1)",
  readmit: "select bough.readmit($1)",
};
