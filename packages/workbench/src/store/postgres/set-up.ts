/** Creates the tables of a store, and checks that their version is the one this program uses. */
import type { PoolClient } from "pg";
import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";
import { MIGRATIONS, TRIGRAMS } from "./migrations.js";
import { HAS_ROW_SECURITY, ROW_SECURITY, WITHOUT_ROW_SECURITY } from "./row-security.js";

/** An arbitrary key for the advisory lock that makes concurrent migrations wait for each other. */
const LOCK = 20_260_711;

export interface SetUpOptions {
  /** Every database user sees only their own sessions. */
  readonly rowSecurity?: boolean;
}

export interface SetUpOutcome {
  /** Versions that were just added. */
  readonly migrated: readonly number[];
  /** Whether search finds parts of words. */
  readonly trigrams: boolean;
}

/** Can be run repeatedly, even by several programs at once. */
export async function setUp(database: Database, { rowSecurity = false }: SetUpOptions = {}): Promise<SetUpOutcome> {
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
      if (rowSecurity || isOn) await client.query(ROW_SECURITY);
      return added;
    },
    { isEndless: true },
  );
  const trigrams = await database
    .transaction((client) => client.query(TRIGRAMS), { isEndless: true })
    .then(
      () => true,
      // The extension is missing or must not be created: search then finds whole words only.
      () => false,
    );
  return { migrated, trigrams };
}

export interface SetUp {
  /** The connected user sees only their own sessions. */
  readonly isKeptApart: boolean;
}

/** Throws `store-not-set-up`, or `store-newer` if a newer version of Bough has changed the tables. */
export async function checkSetUp(database: Database): Promise<SetUp> {
  const rows = await database.rows<{ version: number; is_kept_apart: boolean }>(
    "select version, row_security_active('bough.session') as is_kept_apart from bough.migration",
  );
  refuseNewer(rows, database.address);
  if (rows.length >= MIGRATIONS.length) return { isKeptApart: rows[0]?.is_kept_apart === true };
  throw new StoreError("store-not-set-up", `An older version of Bough created the tables in ${database.address}`, {
    hint: "Update them with: bough store init <url>",
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
