/**
 * Contents of files in a git remote, by their hash: a ref of its own for each replica, `refs/bough-files/<replica>`. They
 * are apart from the sessions, so that a sync of sessions does not fetch them: git brings all of them when one is needed.
 */
import { checkContents, isContentOf, wrongContent } from "../content-name.js";
import type { Replica, StoreBlobs } from "../store.js";
import type { GitRepository } from "./git-repository.js";

export function gitBlobs(
  repository: GitRepository,
  { replica, now, address }: { readonly replica: Replica; readonly now: () => Date; readonly address: string },
): StoreBlobs {
  /** Of one content all copies: one may be damaged. */
  const known = async () => {
    const files = new Map<string, string[]>();
    for (const [, commit] of await repository.refs())
      for (const { path, blob } of await repository.filesIn(commit)) {
        const hash = path.replace("/", "");
        const copies = files.get(hash);
        if (copies === undefined) files.set(hash, [blob]);
        else copies.push(blob);
      }
    return files;
  };
  const fetched = async () => {
    await repository.fetch();
    return known();
  };
  return {
    async has(hashes) {
      const files = await fetched();
      return new Set(hashes.filter((hash) => files.has(hash)));
    },
    async put(contents) {
      checkContents(contents);
      const files = await fetched();
      const fresh = contents.filter(({ hash }) => !files.has(hash));
      if (fresh.length === 0) return;
      const changes = fresh.map(({ hash, content }) => ({ path: `${hash.slice(0, 2)}/${hash.slice(2)}`, content }));
      await repository.commit(replica.id, changes, now());
    },
    async get(hash) {
      const copies = (await known()).get(hash) ?? (await fetched()).get(hash) ?? [];
      const contents = await repository.read(copies);
      const whole = contents.find((content) => content !== undefined && isContentOf(hash, content));
      if (whole === undefined && copies.length > 0) throw wrongContent(hash, address);
      return whole;
    },
  };
}
