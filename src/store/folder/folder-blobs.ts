/** Contents of files in a folder, by their hash. */
import { join } from "node:path";
import { BlobStore, hashOf } from "../../checkpoint/index.js";
import { namesIn } from "../../log/index.js";
import type { Replica, StoreBlobs } from "../store.js";
import { StoreError } from "../store-error.js";
import { folderError } from "./folder-error.js";

/** Own contents are written, those of every replica are read. */
export function folderBlobs(folder: string, replica: Replica): StoreBlobs {
  const own = new BlobStore(join(folder, replica.id));
  const all = () => [
    own,
    ...namesIn(folder)
      .filter((name) => name !== replica.id)
      .map((name) => new BlobStore(join(folder, name))),
  ];
  return {
    async has(hashes) {
      const stores = all();
      return new Set(hashes.filter((hash) => stores.some((one) => one.has(hash))));
    },
    async put(hash, content) {
      if (hashOf(content) !== hash) throw new StoreError("store-damaged", `The content is not the one of ${hash}`);
      try {
        await own.put(content);
      } catch (error) {
        throw folderError(error, folder);
      }
    },
    async get(hash) {
      for (const one of all()) {
        if (!one.has(hash)) continue;
        const content = await one.get(hash).catch(() => undefined);
        if (content !== undefined) return content;
      }
      return undefined;
    },
  };
}
