/**
 * Contents of files in a git remote, by hash, in one ref per replica: `refs/bough-files/<replica>`. They are separate
 * from the sessions, so that syncing sessions does not fetch them; git fetches all of them when one is needed.
 */
import { checkContents, isContentOf, wrongContent } from "../content-name.js";
import { JoinedCalls } from "../joined-calls.js";
import type { Replica, StoreBlobs, StoredContent } from "../store.js";
import { StoreError } from "../store-error.js";
import type { TreeFile } from "./git-import.js";
import { evenIfRemade } from "./git-mirror.js";
import type { GitRepository } from "./git-repository.js";

/** How much to push at once. */
const PUT_BYTES = 32 << 20;

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
  const putAll = async (calls: readonly (readonly StoredContent[])[]): Promise<(true | Error)[]> => {
    try {
      await evenIfRemade(async () => {
        const files = await fetched();
        const fresh = new Map(calls.flat().flatMap((one) => (files.has(one.hash) ? [] : [[one.hash, one.content]])));
        if (fresh.size === 0 && !(await repository.isLost(id))) return;
        const changes = [...fresh].map(([hash, content]) => ({
          path: `${hash.slice(0, 2)}/${hash.slice(2)}`,
          content,
        }));
        await repository.commit(id, changes, now());
      });
      return calls.map(() => true as const);
    } catch (error) {
      // The remote may refuse only one of the contents.
      if (!(error instanceof StoreError) || error.code !== "store-refused") throw error;
      if (calls.length === 1) return [error];
      const half = Math.ceil(calls.length / 2);
      return [...(await putAll(calls.slice(0, half))), ...(await putAll(calls.slice(half)))];
    }
  };
  const puts = new JoinedCalls<readonly StoredContent[], true>({
    work: putAll,
    weightOf: (contents) => contents.reduce((sum, { content }) => sum + content.length, 0),
    heaviest: PUT_BYTES,
  });
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
      await puts.call(contents);
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
