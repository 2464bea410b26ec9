/** Contents of files in PostgreSQL, compressed, by hash. */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { checkContents, isContentOf, wrongContent } from "../content-name.js";
import type { StoreBlobs } from "../store.js";
import type { Database } from "./database.js";
import type { SetUp } from "./set-up.js";
import { AS_MEMBER } from "./team.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);
/** Limits how much memory a small but hostile content can expand to. */
const MOST = { maxOutputLength: 1024 * 1024 * 1024 };

const HAS = "select encode(hash, 'hex') as hash from bough.blob where hash = any($1::bytea[])";
const HAS_OF_PROJECT = `${HAS} and owner = coalesce($3, (select project from bough.session where id = $2), '')`;
const PUT = `insert into bough.blob (hash, content) select * from unnest($1::bytea[], $2::bytea[])
  on conflict do nothing`;

/** With roles, each project has its own copy of a content, because users may see some projects only. */
export function postgresBlobs(database: Database, { sharing }: SetUp): StoreBlobs {
  const isTeam = sharing === "team";
  return {
    async has(hashes, { sessionId, project } = {}) {
      const wanted = hashes.map((hash) => Buffer.from(hash, "hex"));
      const rows = await database.rows<{ hash: string }>(
        isTeam ? HAS_OF_PROJECT : HAS,
        isTeam ? [wanted, sessionId ?? null, project ?? null] : [wanted],
      );
      return new Set(rows.map(({ hash }) => hash));
    },
    async put(contents, { sessionId, project } = {}) {
      checkContents(contents);
      if (contents.length === 0) return;
      const rows = await Promise.all(
        contents.map(async ({ hash, content }) => [Buffer.from(hash, "hex"), await compress(content)] as const),
      );
      // A fixed order prevents a deadlock of two pushes that store the same contents.
      rows.sort(([a], [b]) => Buffer.compare(a, b));
      const values = [rows.map(([hash]) => hash), rows.map(([, content]) => content)];
      await (isTeam
        ? database.rows(AS_MEMBER.put, [...values, sessionId ?? null, project ?? null])
        : database.rows(PUT, values));
    },
    async get(hash) {
      const rows = await database.rows<{ content: Buffer }>("select content from bough.blob where hash = $1", [
        Buffer.from(hash, "hex"),
      ]);
      for (const row of rows) {
        const content = await expand(row.content, MOST).catch(() => undefined);
        if (content !== undefined && isContentOf(hash, content)) return content;
      }
      if (rows.length > 0) throw wrongContent(hash, database.address);
      return undefined;
    },
  };
}
