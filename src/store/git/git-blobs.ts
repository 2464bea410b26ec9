/** Contents of files in a git remote, by their hash: a ref of its own for each replica. */
import { checkContent, isContentOf } from "../content-name.js";
import type { Replica, StoreBlobs } from "../store.js";
import type { GitRepository } from "./git-repository.js";

export const BLOBS = "blobs";

export function gitBlobs(
  repository: GitRepository,
  { replica, now }: { readonly replica: Replica; readonly now: () => Date },
): StoreBlobs {
  const all = async () => {
    await repository.fetch();
    const files = new Map<string, string>();
    for (const [ref, commit] of await repository.refs()) {
      if (!ref.startsWith(`${BLOBS}/`)) continue;
      for (const { path, blob } of await repository.filesIn(commit)) files.set(path.replace("/", ""), blob);
    }
    return files;
  };
  return {
    async has(hashes) {
      const files = await all();
      return new Set(hashes.filter((hash) => files.has(hash)));
    },
    async put(hash, content) {
      checkContent(hash, content);
      if ((await all()).has(hash)) return;
      await repository.commit(
        `${BLOBS}/${replica.id}`,
        [{ path: `${hash.slice(0, 2)}/${hash.slice(2)}`, content }],
        now(),
      );
    },
    async get(hash) {
      const blob = (await all()).get(hash);
      const [content] = blob === undefined ? [] : await repository.read([blob]);
      return content !== undefined && isContentOf(hash, content) ? content : undefined;
    },
  };
}
