/** Contents of files in PostgreSQL, compressed, by hash. */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { checkContents, isContentOf, wrongContent } from "../content-name.js";
import type { StoreBlobs } from "../store.js";
import type { Database } from "./database.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);
/** Limits how much memory a small but hostile content can expand to. */
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
    async put(contents) {
      checkContents(contents);
      const rows = await Promise.all(
        contents.map(async ({ hash, content }) => [Buffer.from(hash, "hex"), await compress(content)] as const),
      );
      // A fixed order prevents a deadlock of two pushes that store the same contents.
      rows.sort(([a], [b]) => Buffer.compare(a, b));
      await database.rows(
        `insert into bough.blob (hash, content) select * from unnest($1::bytea[], $2::bytea[])
         on conflict do nothing`,
        [rows.map(([hash]) => hash), rows.map(([, content]) => content)],
      );
    },
    async get(hash) {
      const [row] = await database.rows<{ content: Buffer }>("select content from bough.blob where hash = $1", [
        Buffer.from(hash, "hex"),
      ]);
      if (row === undefined) return undefined;
      const content = await expand(row.content, MOST).catch(() => undefined);
      if (content === undefined || !isContentOf(hash, content)) throw wrongContent(hash, database.address);
      return content;
    },
  };
}
