/** How much of sessions a database can search, which decides how much space it takes; see docs/stores.md. */
import { searchedText } from "@bough/session/session/internal.js";
import { lineFacts } from "../stored-line.js";
import { searchable } from "./columns.js";
import type { Database } from "./database.js";

/** `none`: search runs on each machine. `words`: whole words. `parts`: parts of words too. */
export const SEARCH_LEVELS = ["none", "words", "parts"] as const;
export type SearchLevel = (typeof SEARCH_LEVELS)[number];

const TRIGRAMS = `
  create extension if not exists pg_trgm;
  create index if not exists entry_trigrams on bough.entry using gin (left(text, 20000) gin_trgm_ops);
`;
const WORDS = `
  alter table bough.entry add column if not exists
    words tsvector generated always as (to_tsvector('simple', left(coalesce(text, ''), 200000))) stored;
  create index if not exists entry_words on bough.entry using gin (words);
  create index if not exists entry_at on bough.entry (at desc nulls last) where text is not null;
`;
const NO_WORDS = `
  drop index if exists bough.entry_trigrams, bough.entry_words, bough.entry_at;
  alter table bough.entry drop column if exists words;
  update bough.entry set text = null where text is not null;
`;

/** Whether parts of words are found: not if the extension is missing or must not be created. */
export async function addTrigrams(database: Database): Promise<boolean> {
  return database
    .transaction((client) => client.query(TRIGRAMS), { isEndless: true })
    .then(
      () => true,
      () => false,
    );
}

const LEVEL = `select (select value from bough.setting where name = 'search') as level,
  exists (select from bough.setting where name = 'texts' and value = 'missing') as lacks_texts`;
const SET_LEVEL = `insert into bough.setting values ('search', $1), ('texts', $2)
  on conflict (name) do update set value = excluded.value`;
const HAS_TEXTS = "delete from bough.setting where name = 'texts'";

/** Changes the level, or keeps it if none is given. Returns what is set now; the default is `parts`. */
export async function setSearchLevel(database: Database, wanted: SearchLevel | undefined): Promise<SearchLevel> {
  const [row] = await database.rows<{ level: string | null; lacks_texts: boolean }>(LEVEL);
  const before = searchLevelOf(row?.level);
  const level = wanted ?? before;
  // Also if adding them was interrupted.
  const lacksTexts = level !== "none" && (before === "none" || row?.lacks_texts === true);
  if (level !== before) {
    await database.transaction(
      async (client) => {
        if (level === "none") await client.query(NO_WORDS);
        else await client.query(WORDS);
        if (level === "words") await client.query("drop index if exists bough.entry_trigrams");
        await client.query(SET_LEVEL, [level, lacksTexts ? "missing" : "there"]);
      },
      { isEndless: true },
    );
  }
  if (lacksTexts) {
    await addTexts(database);
    await database.rows(HAS_TEXTS);
  }
  // The space of changed rows is given back only when the table is written again, which no transaction can do.
  if (lacksTexts || (level === "none" && before !== "none")) await database.statement("vacuum full bough.entry");
  return level;
}

export function searchLevelOf(value: string | null | undefined): SearchLevel {
  return SEARCH_LEVELS.find((level) => level === value) ?? "parts";
}

const SOME = `select session, realm, seq::text, line from bough.entry
  where text is null and kind <> 'session' and (session, realm, seq) > ($1, $2, $3::bigint)
  order by session, realm, seq limit 500`;
const SET = `update bough.entry e set text = t.text
  from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as t (session, realm, seq, text)
  where e.session = t.session and e.realm = t.realm and e.seq = t.seq`;

interface Row {
  readonly session: string;
  readonly realm: string;
  readonly seq: string;
  readonly line: Buffer;
}

/** Entries that were pushed while the level was `none` have no text. Can be interrupted; the next `init` continues. */
async function addTexts(database: Database): Promise<void> {
  for (let last: Pick<Row, "session" | "realm" | "seq"> = { session: "", realm: "", seq: "0" }; ; ) {
    const rows = await database.rows<Row>(SOME, [last.session, last.realm, last.seq], { isSlow: true });
    const end = rows.at(-1);
    if (end === undefined) return;
    const texts = rows.map(({ line }) => {
      const facts = lineFacts(line);
      return facts?.kind !== "entry" ? null : searchable(searchedText(facts.record, line.toString("utf8")));
    });
    const of = (key: "session" | "realm" | "seq") => rows.map((row) => row[key]);
    await database.rows(SET, [of("session"), of("realm"), of("seq"), texts], { isSlow: true });
    last = end;
  }
}
