/** Contents of files in PostgreSQL, compressed, by their hash. */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { checkContent, isContentOf } from "../content-name.js";
import type { StoreBlobs } from "../store.js";
import type { Database } from "./database.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);
/** A few bytes that someone put there may not fill the memory. */
const MOST = { maxOutputLength: 1024 * 1024 * 1024 };

export function postgresBlobs(database: Database): StoreBlobs {
  return {
    async has(hashes) {
      const wanted = hashes.map((hash) => Buffer.from(hash, "hex"));
      const rows = await database.rows<{ hash: string }>(
        "select encode(hash, 'hex') as hash from bough.blob where hash = any($1::bytea[])",
        [wanted],
      );
      return new Set(rows.map(({ hash }) => hash));
    },
    async put(hash, content) {
      checkContent(hash, content);
      await database.rows("insert into bough.blob (hash, content) values ($1, $2) on conflict do nothing", [
        Buffer.from(hash, "hex"),
        await compress(content),
      ]);
    },
    async get(hash) {
      const [row] = await database.rows<{ content: Buffer }>("select content from bough.blob where hash = $1", [
        Buffer.from(hash, "hex"),
      ]);
      if (row === undefined) return undefined;
      const content = await expand(row.content, MOST).catch(() => undefined);
      // Damaged in the database: as if it were not there.
      return content !== undefined && isContentOf(hash, content) ? content : undefined;
    },
  };
}
