/** Creates the tables of a store, and checks that their version is the one this program uses. */
import type { PoolClient } from "pg";
import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";
import { MIGRATIONS } from "./migrations.js";
import { HAS_ROW_SECURITY, ROW_SECURITY, WITHOUT_ROW_SECURITY } from "./row-security.js";
import { addTrigrams, type SearchLevel, searchLevelOf, setSearchLevel } from "./search-level.js";
import { LOCK, NEW_TEAM, TEAM } from "./team.js";

export interface SetUpOptions {
  /** Every database user sees only their own sessions. */
  readonly rowSecurity?: boolean;
  /** Users have roles; see `TEAM`. */
  readonly team?: boolean;
  /** Default: keep it. */
  readonly search?: SearchLevel | undefined;
}

export interface SetUpOutcome {
  /** Versions that were just added. */
  readonly migrated: readonly number[];
  /** Whether search finds parts of words. */
  readonly trigrams: boolean;
  readonly search: SearchLevel;
}

/** Can be run repeatedly, even by several programs at once. */
export async function setUp(database: Database, options: SetUpOptions = {}): Promise<SetUpOutcome> {
  const { rowSecurity = false, team = false, search: wanted } = options;
  const migrated = await database.transaction(
    async (client) => {
      await refuseOtherEncoding(client, database.address);
      await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
      await client.query("create schema if not exists bough");
      await client.query(
        "create table if not exists bough.migration (version int primary key, at timestamptz not null default now())",
      );
      const { rows } = await client.query<{ version: number }>("select version from bough.migration");
      refuseNewer(rows, database.address);
      const { rows: security } = await client.query<{ is_on: boolean }>(HAS_ROW_SECURITY);
      const isOn = security[0]?.is_on === true;
      const wasTeam = isOn && (await isTeam(client));
      refuseBoth({ isApart: isOn && !wasTeam, wasTeam, rowSecurity, team }, database.address);
      if (isOn) await client.query(WITHOUT_ROW_SECURITY);
      const done = new Set(rows.map(({ version }) => version));
      const added: number[] = [];
      for (const [index, sql] of MIGRATIONS.entries()) {
        if (done.has(index + 1)) continue;
        await client.query(sql);
        await client.query("insert into bough.migration (version) values ($1)", [index + 1]);
        added.push(index + 1);
      }
      // Includes tables added by the migrations above.
      if (team || wasTeam) await client.query(wasTeam ? TEAM : NEW_TEAM);
      else if (rowSecurity || isOn) await client.query(ROW_SECURITY);
      return added;
    },
    { isEndless: true },
  );
  const search = await setSearchLevel(database, wanted);
  const trigrams = search === "parts" && (await addTrigrams(database));
  return { migrated, trigrams, search };
}

/** How users share a store: everything, nothing (row security), or what their roles allow. */
export type Sharing = "all" | "own" | "team";

export interface SetUp {
  readonly sharing: Sharing;
  /** Row security applies to the connected user: not to the owner of the tables. */
  readonly isRestricted: boolean;
  readonly search: SearchLevel;
}

/** Throws `store-not-set-up`, or `store-newer` if a newer version of Bough has changed the tables. */
export async function checkSetUp(database: Database): Promise<SetUp> {
  const rows = await database.rows<{ version: number }>("select version from bough.migration");
  refuseNewer(rows, database.address);
  if (rows.length < MIGRATIONS.length)
    throw new StoreError("store-not-set-up", `An older version of Bough created the tables in ${database.address}`, {
      hint: "Update them with: bough store init <url>",
    });
  const [row] = await database.rows<SetUpRow>(SET_UP);
  const sharing = row?.sharing === "team" ? "team" : row?.has_security === true ? "own" : "all";
  return { sharing, isRestricted: row?.is_restricted === true, search: searchLevelOf(row?.search) };
}

const SET_UP = `
  select (select value from bough.setting where name = 'sharing') as sharing,
    (select value from bough.setting where name = 'search') as search,
    (select relrowsecurity from pg_class where oid = 'bough.session'::regclass) as has_security,
    row_security_active('bough.session') as is_restricted`;

interface SetUpRow {
  readonly sharing: string | null;
  readonly search: string | null;
  readonly has_security: boolean;
  readonly is_restricted: boolean;
}

async function isTeam(client: PoolClient): Promise<boolean> {
  const { rows: tables } = await client.query("select from pg_class where oid = to_regclass('bough.setting')");
  if (tables.length === 0) return false;
  const { rows } = await client.query("select from bough.setting where name = 'sharing' and value = 'team'");
  return rows.length > 0;
}

interface Modes {
  readonly isApart: boolean;
  readonly wasTeam: boolean;
  readonly rowSecurity: boolean;
  readonly team: boolean;
}

function refuseBoth({ isApart, wasTeam, rowSecurity, team }: Modes, address: string): void {
  if (isApart && team)
    throw new StoreError("store-refused", `${address} keeps its users apart (--row-security), so they have no roles`, {
      hint: "For sessions that users share, use another database.",
    });
  if (wasTeam && rowSecurity)
    throw new StoreError("store-refused", `The users of ${address} have roles, so it cannot keep them apart`, {
      hint: "For --row-security, use another database.",
    });
}

/** Other encodings lack characters that occur in sessions. */
async function refuseOtherEncoding(client: PoolClient, address: string): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>("show server_encoding");
  const encoding = rows[0]?.server_encoding;
  if (encoding === "UTF8") return;
  throw new StoreError("store-refused", `The encoding of ${address} is ${encoding}, not UTF8`, {
    hint: "Create the database with: createdb --encoding=UTF8 --template=template0 <name>",
  });
}

function refuseNewer(rows: readonly { readonly version: number }[], address: string): void {
  const newest = Math.max(0, ...rows.map(({ version }) => version));
  if (newest <= MIGRATIONS.length) return;
  throw new StoreError("store-newer", `A newer version of Bough set up ${address}`, { hint: "Update Bough." });
}
