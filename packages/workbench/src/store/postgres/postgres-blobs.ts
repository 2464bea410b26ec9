/** Contents of files in PostgreSQL, compressed, by hash. */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { checkContents, isContentOf, wrongContent } from "../content-name.js";
import type { StoreBlobs } from "../store.js";
import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";
import type { Roles } from "./roles.js";
import { AS_MEMBER } from "./team.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);
/** Limits how much memory a small but hostile content can expand to. */
const MOST = { maxOutputLength: 1024 * 1024 * 1024 };

/** Roles may be turned on while this program runs. */
const WITH_ROLES = "exists (select from bough.setting where name = 'sharing' and value = 'team')";
/** With roles, a content counts for a project only if the database has checked it. Without a project, any one counts. */
const HAS = `select distinct encode(hash, 'hex') as hash from bough.blob where hash = any($1::bytea[]) and (
  (($2::text is null and $3::text is null) or not ${WITH_ROLES})
  or (is_plain and owner = coalesce($3, (select project from bough.session where id = $2), '')))`;
/** Stores nothing if there are roles: not even the owner of the tables may then go around the check. */
const PUT = `
with roles as (select ${WITH_ROLES} as are_on), stored as (
  insert into bough.blob (hash, content)
  select c.* from unnest($1::bytea[], $2::bytea[]) as c, roles where not are_on on conflict do nothing)
select are_on from roles`;

/**
 * With roles, each project has its own copy of a content, because users may see some projects only. It is not
 * compressed here, so that the database can check its hash.
 */
export function postgresBlobs(database: Database, roles: Roles): StoreBlobs {
  return {
    async has(hashes, { sessionId, project } = {}) {
      const wanted = hashes.map((hash) => Buffer.from(hash, "hex"));
      const rows = await database.rows<{ hash: string }>(HAS, [wanted, sessionId ?? null, project ?? null]);
      return new Set(rows.map(({ hash }) => hash));
    },
    async put(contents, { sessionId, project } = {}) {
      checkContents(contents);
      if (contents.length === 0) return;
      // A fixed order prevents a deadlock of two pushes that store the same contents.
      const sorted = contents.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
      const hashes = sorted.map(({ hash }) => Buffer.from(hash, "hex"));
      const plain = sorted.map(({ content }) => content);
      await roles.using(async (areOn) => {
        if (areOn) return database.rows(AS_MEMBER.put, [hashes, plain, sessionId ?? null, project ?? null]);
        const compressed = await Promise.all(plain.map((content) => compress(content)));
        const [row] = await database.rows<{ are_on: boolean }>(PUT, [hashes, compressed]);
        if (row?.are_on === true) throw new StoreError("store-refused", `Users of ${database.address} have roles now`);
        return [];
      });
    },
    async get(hash) {
      const rows = await database.rows<{ content: Buffer; is_plain: boolean }>(
        "select content, is_plain from bough.blob where hash = $1 order by is_plain desc",
        [Buffer.from(hash, "hex")],
      );
      for (const row of rows) {
        const content = row.is_plain ? row.content : await expand(row.content, MOST).catch(() => undefined);
        if (content !== undefined && isContentOf(hash, content)) return content;
      }
      if (rows.length > 0) throw wrongContent(hash, database.address);
      return undefined;
    },
  };
}
