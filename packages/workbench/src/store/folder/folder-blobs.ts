/** Contents of files in a folder, compressed. Writes this replica's own contents, reads those of every replica. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { namesIn, writeWhole } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { checkContents, isContentOf, wrongContent } from "../content-name.js";
import type { Replica, StoreBlobs } from "../store.js";
import { folderError } from "./folder-error.js";

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);
/** Limits how much memory a small but hostile file can expand to. */
const MOST = { maxOutputLength: 1024 * 1024 * 1024 };

export function folderBlobs(folder: string, replica: Replica): StoreBlobs {
  const pathIn = (owner: string, hash: string) => join(folder, owner, hash.slice(0, 2), hash.slice(2));
  const owners = () => [...new Set([replica.id, ...namesIn(folder)])];
  return {
    async has(hashes) {
      const all = owners();
      // An empty file is still being synced, or was left by a full disk.
      const isThere = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
      return new Set(hashes.filter((hash) => all.some((owner) => isThere(pathIn(owner, hash)))));
    },
    async put(contents) {
      checkContents(contents);
      for (const { hash, content } of contents) {
        const path = pathIn(replica.id, hash);
        const stored = await contentAt(path);
        if (stored !== undefined && isContentOf(hash, stored)) continue;
        try {
          writeWhole(path, [await compress(content)], { existing: "replace", durable: true });
        } catch (error) {
          throw folderError(error, folder);
        }
      }
    },
    async get(hash) {
      let damaged = false;
      for (const owner of owners()) {
        const path = pathIn(owner, hash);
        const content = await contentAt(path);
        if (content !== undefined && isContentOf(hash, content)) return content;
        damaged ||= existsSync(path);
      }
      // A damaged content may still be arriving.
      if (damaged) throw wrongContent(hash, folder);
      return undefined;
    },
  };
}

async function contentAt(path: string): Promise<Buffer | undefined> {
  const stored = attempt(() => readFileSync(path));
  return stored === undefined ? undefined : expand(stored, MOST).catch(() => undefined);
}
