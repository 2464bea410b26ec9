/** The tables of a store in PostgreSQL, version by version. A migration that was released is never changed. */

/** What version N adds, at N - 1. Each runs once, in one transaction with the note that it ran. */
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
  // Who has pushed to a session is read with every list, and must not depend on how long the session is. The newest hits
  // of a word that is everywhere are found without looking at all of them. The header of a
  // long session, and the first of the entries with one ID, are found without looking at others.
  `
  alter table bough.session add column replicas text[] not null default '{}';
  update bough.session s set replicas =
    (select coalesce(array_agg(distinct e.replica), '{}') from bough.entry e where e.session = s.id);
  create index entry_at on bough.entry (at desc nulls last) where text is not null;
  create index entry_header on bough.entry (session, seq) where kind = 'session';
  drop index bough.entry_id;
  create index entry_id on bough.entry (session, id, seq);
  `,
];

/** Parts of words are found too if the server has the extension; without it whole words are. */
export const TRIGRAMS = `
  create extension if not exists pg_trgm;
  create index if not exists entry_trigrams on bough.entry using gin (left(text, 20000) gin_trgm_ops);
`;

/** Every person sees only what they pushed themselves. */
export const ROW_SECURITY = `
  alter table bough.session enable row level security;
  alter table bough.session force row level security;
  alter table bough.entry enable row level security;
  alter table bough.entry force row level security;
  drop policy if exists own_sessions on bough.session;
  create policy own_sessions on bough.session using (owner = current_user) with check (owner = current_user);
  drop policy if exists own_entries on bough.entry;
  create policy own_entries on bough.entry using (exists (select from bough.session s where s.id = session));
`;
