/**
 * Contents of files in a git remote, by hash, in one ref per replica: `refs/bough-files/<replica>`. They are separate
 * from the sessions, so that syncing sessions does not fetch them; git fetches all of them when one is needed.
 */
import { checkContents, isContentOf, wrongContent } from "../content-name.js";
import type { Replica, StoreBlobs } from "../store.js";
import type { TreeFile } from "./git-import.js";
import { evenIfRemade } from "./git-mirror.js";
import type { GitRepository } from "./git-repository.js";

export function gitBlobs(
  repository: GitRepository,
  { replica, now, address }: { readonly replica: Replica; readonly now: () => Date; readonly address: string },
): StoreBlobs {
  const { id } = replica;
  const kept = async () => byHash(await repository.kept());
  const fetched = async () => {
    await repository.fetch();
    return kept();
  };
  return {
    has(hashes) {
      return evenIfRemade(async () => {
        await repository.fetch();
        const files = byHash(await repository.stored());
        return new Set(hashes.filter((hash) => files.has(hash)));
      });
    },
    async put(contents) {
      checkContents(contents);
      await evenIfRemade(async () => {
        const files = await fetched();
        const fresh = contents.filter(({ hash }) => !files.has(hash));
        if (fresh.length === 0 && !(await repository.isLost(id))) return;
        const changes = fresh.map(({ hash, content }) => ({ path: `${hash.slice(0, 2)}/${hash.slice(2)}`, content }));
        await repository.commit(id, changes, now());
      });
    },
    get(hash) {
      return evenIfRemade(async () => {
        const copies = (await kept()).get(hash) ?? (await fetched()).get(hash) ?? [];
        const isWhole = (content: Buffer | undefined) => content !== undefined && isContentOf(hash, content);
        const some = await repository.readSome(copies);
        // One intact copy is enough; if there is none, a missing one may be fetched again.
        const whole = some.find(isWhole) ?? (await repository.read(copies)).find(isWhole);
        if (whole === undefined && copies.length > 0) throw wrongContent(hash, address);
        return whole;
      });
    },
  };
}

/** All copies of each content, because one may be damaged. */
function byHash(refs: ReadonlyMap<string, readonly TreeFile[]>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, blob } of [...refs.values()].flat()) {
    const hash = path.replace("/", "");
    const copies = found.get(hash);
    if (copies === undefined) found.set(hash, [blob]);
    else copies.push(blob);
  }
  return found;
}
