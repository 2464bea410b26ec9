/** The tables of a store in PostgreSQL, version by version. A released migration is never changed. */

/** Item N - 1 creates version N. Each runs once, in one transaction with the record that it ran. */
export const MIGRATIONS: readonly string[] = [
  `
  create table bough.replica (id text primary key, name text not null);

  create table bough.session (
    id text primary key,
    project text,
    title text,
    cwd text,
    head bigint not null default 0,
    updated timestamptz not null default now(),
    removed boolean not null default false,
    owner text not null default current_user
  );
  create index session_project on bough.session (project);
  create index session_updated on bough.session (updated);

  create table bough.entry (
    session text not null references bough.session (id) on delete cascade,
    seq bigint not null,
    hash bytea not null,
    id text not null,
    parent text,
    kind text not null,
    role text,
    at text,
    replica text not null,
    line bytea not null,
    text text,
    words tsvector generated always as (to_tsvector('simple', left(coalesce(text, ''), 200000))) stored,
    primary key (session, seq)
  );
  create unique index entry_hash on bough.entry (session, hash);
  create index entry_id on bough.entry (session, id);
  create index entry_words on bough.entry using gin (words);

  create table bough.blob (hash bytea primary key, content bytea not null);
  `,
  // Lists read who has pushed to a session, so that must not depend on the length of the session. The newest hits of a
  // very common word are found without reading all hits. The header of a long session, and the first entry with a given
  // ID, are found without reading others.
  `
  alter table bough.session add column replicas text[] not null default '{}';
  update bough.session s set replicas =
    (select coalesce(array_agg(distinct e.replica), '{}') from bough.entry e where e.session = s.id);
  create index entry_at on bough.entry (at desc nulls last) where text is not null;
  create index entry_header on bough.entry (session, seq) where kind = 'session';
  drop index bough.entry_id;
  create index entry_id on bough.entry (session, id, seq);
  `,
  // A path is read run by run instead of entry by entry. A run is a series of lines of which each continues the line
  // stored just before it, and only the first line is recorded. Whether a line continues the one before it never
  // changes, whatever arrives later in any order. The trigger records runs for every writer, including those that
  // connected before the migration. It sees the rows as stored, after waiting for other pushes.
  `
  create table bough.run (session text not null, seq bigint not null, primary key (session, seq));
  do $$
  declare granted record;
  begin
    for granted in select grantee, privilege_type from pg_class, aclexplode(relacl)
      where oid = 'bough.entry'::regclass and grantee <> relowner
    loop
      execute format('grant %s on bough.run to %s', granted.privilege_type,
        case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
    end loop;
  end $$;
  create function bough.note_runs() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    insert into bough.run (session, seq) select session, seq from (
      select n.session, n.seq, n.parent, case
        when lag(n.seq) over before is distinct from n.seq - 1 then (
          select e.id from bough.entry e where e.session = n.session and e.seq = n.seq - 1
            and e.replica = n.replica and e.kind <> 'session')
        when lag(n.replica) over before = n.replica and lag(n.kind) over before <> 'session' then lag(n.id) over before
      end as id_before
      from arrived n window before as (partition by n.session order by n.seq)
    ) e where (parent = id_before) is not true
    on conflict do nothing;
    return null;
  end $$;
  create trigger note_runs after insert on bough.entry referencing new table as arrived
    for each statement execute function bough.note_runs();
  insert into bough.run (session, seq) select session, seq from (
    select session, seq, parent, replica, lag(seq) over before as seq_before, lag(id) over before as id_before,
      lag(replica) over before as replica_before, lag(kind) over before as kind_before
    from bough.entry window before as (partition by session order by seq)
  ) e where (parent = id_before and seq = seq_before + 1 and replica = replica_before and kind_before <> 'session') is not true;
  create index entry_compaction on bough.entry (session, seq) where kind = 'compaction';
  `,
  // A cursor names the push that stored its line, so that a different line with the same number, after a restore from a
  // backup, is not mistaken for it. Older lines have no mark. Owners are set only with row security.
  `
  alter table bough.session add column mark bigint;
  alter table bough.entry add column mark bigint;
  alter table bough.blob add column owner text not null default '';
  alter table bough.replica add column owner text not null default '';
  `,
  // If users are separated, each has their own sessions, whatever IDs others use: the realm of a row is then its user,
  // and it is empty if everyone shares. Contexts that oh-my-pi cleared are found like compactions.
  `
  create function bough.realm() returns text stable language sql as $$ select text '' $$;
  do $$
  begin
    -- It may be a superuser who runs this.
    execute (select format('alter function bough.realm() owner to %I', pg_get_userbyid(relowner))
      from pg_class where oid = 'bough.entry'::regclass);
  end $$;
  alter table bough.session add column realm text not null default '';
  alter table bough.entry add column realm text not null default '';
  alter table bough.run add column realm text not null default '';
  alter table bough.entry drop constraint entry_session_fkey;
  alter table bough.session drop constraint session_pkey, add primary key (id, realm);
  alter table bough.entry drop constraint entry_pkey, add primary key (session, seq, realm),
    add foreign key (session, realm) references bough.session (id, realm) on delete cascade on update cascade;
  alter table bough.run drop constraint run_pkey, add primary key (session, seq, realm);
  drop index bough.entry_hash;
  create unique index entry_hash on bough.entry (session, hash, realm);
  create index entry_reset on bough.entry (session, seq) where kind = 'reset_boundary';
  create or replace function bough.note_runs() returns trigger language plpgsql set enable_seqscan = off as $$
  begin
    insert into bough.run (session, realm, seq) select session, realm, seq from (
      select n.session, n.realm, n.seq, n.parent, case
        when lag(n.seq) over before is distinct from n.seq - 1 then (
          select e.id from bough.entry e where e.session = n.session and e.realm = n.realm and e.seq = n.seq - 1
            and e.replica = n.replica and e.kind <> 'session')
        when lag(n.replica) over before = n.replica and lag(n.kind) over before <> 'session' then lag(n.id) over before
      end as id_before
      from arrived n window before as (partition by n.session, n.realm order by n.seq)
    ) e where (parent = id_before) is not true
    on conflict do nothing;
    return null;
  end $$;
  `,
  // Roles, and a log of who pushed and removed. Runs and the log are written with the rights of the tables' owner, so
  // they cannot be written otherwise. Entries are never changed, not even by that owner; only their searchable text is.
  `
  create table bough.setting (name text primary key, value text not null);
  create table bough.member (name text primary key, role text not null check (role in ('reader', 'writer', 'owner')),
    projects text[]);
  create table bough.log (n bigint generated always as identity primary key, at timestamptz not null default clock_timestamp(),
    who text not null, did text not null, session text, project text, replica text, lines bigint, detail text);
  create function bough.caller() returns text stable language sql set search_path = pg_catalog, pg_temp as $$
    select case current_setting('role') when 'none' then session_user::text else current_setting('role') end
  $$;
  alter function bough.note_runs() security definer;
  alter function bough.note_runs() set search_path = pg_catalog, pg_temp;
  create function bough.note_push() returns trigger security definer set search_path = pg_catalog, pg_temp
    language plpgsql as $$
  begin
    insert into bough.log (who, did, session, project, replica, lines)
      select bough.caller(), 'pushed', a.session, s.project, a.replica, count(*)
      from arrived a left join bough.session s on s.id = a.session and s.realm = a.realm
      group by a.session, s.project, a.replica;
    return null;
  end $$;
  create trigger note_push after insert on bough.entry referencing new table as arrived
    for each statement execute function bough.note_push();
  create function bough.note_removal() returns trigger security definer set search_path = pg_catalog, pg_temp
    language plpgsql as $$
  begin
    insert into bough.log (who, did, session, project, lines) values (bough.caller(),
      case when new.removed then 'removed' else 'readmitted' end, new.id, new.project,
      case when tg_op = 'UPDATE' and new.removed then old.head end);
    return null;
  end $$;
  create trigger note_new_removal after insert on bough.session for each row when (new.removed)
    execute function bough.note_removal();
  create trigger note_removal after update on bough.session for each row
    when (old.removed is distinct from new.removed) execute function bough.note_removal();
  create function bough.refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
  begin
    raise exception 'Entries are only added, never changed' using errcode = 'BG003';
  end $$;
  create trigger only_added before update on bough.entry for each row
    when ((old.session, old.seq, old.hash, old.id, old.parent, old.kind, old.replica, old.line)
      is distinct from (new.session, new.seq, new.hash, new.id, new.parent, new.kind, new.replica, new.line))
    execute function bough.refuse_change();
  do $$
  declare granted record;
  declare made text;
  begin
    for granted in select distinct grantee from pg_class, aclexplode(relacl)
      where oid = 'bough.entry'::regclass and grantee <> relowner and privilege_type = 'SELECT'
    loop
      execute format('grant select on bough.setting, bough.member, bough.log to %s',
        case granted.grantee when 0 then 'public' else granted.grantee::regrole::text end);
    end loop;
    -- It may be a superuser who runs this.
    for made in select format('alter %s bough.%I%s owner to %I', t.kind, t.name, t.brackets, pg_get_userbyid(e.relowner))
      from pg_class e, (values ('table', 'setting', ''), ('table', 'member', ''), ('table', 'log', ''),
        ('function', 'caller', '()'), ('function', 'note_runs', '()'), ('function', 'note_push', '()'),
        ('function', 'note_removal', '()'), ('function', 'refuse_change', '()')) as t (kind, name, brackets)
      where e.oid = 'bough.entry'::regclass
    loop
      execute made;
    end loop;
  end $$;
  -- Without a policy for it, only the owner of the tables can write to these.
  alter table bough.setting enable row level security;
  alter table bough.member enable row level security;
  alter table bough.log enable row level security;
  create policy seen on bough.setting for select using (true);
  create policy seen on bough.member for select using (true);
  create policy seen on bough.log for select using (true);
  `,
  // With roles, contents are stored as they are, so that the database can check their hashes; it compresses them itself.
  `
  alter table bough.blob add column is_plain boolean not null default false;
  `,
];
