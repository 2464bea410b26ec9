/** `contentsOfStores`, loaded when a content is missing for the first time. */
import type { BlobSource } from "../checkpoint/index.js";
import { hasStores } from "./stores-file.js";

/** One for each program or session, because it keeps the stores it opened. */
export function storedContents(home: string): BlobSource {
  let source: Promise<BlobSource> | undefined;
  const load = async () => (await import("./contents-of-stores.js")).contentsOfStores(home);
  return {
    async get(hash) {
      if (!hasStores(home)) return undefined;
      source ??= load();
      return (await source).get(hash);
    },
  };
}
