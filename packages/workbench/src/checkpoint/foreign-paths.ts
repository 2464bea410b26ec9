/**
 * Paths that only other machines say a session changed. Anyone who can write to a store can create such records, so
 * they do not decide which files of this machine are read: ignored files stay unread and unsent.
 */
import type { TreeSource } from "@bough/session/tree/index.js";
import { changesOf, recordAt } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

/**
 * Paths that no tool and no person changed here. A restore, or a move without the files, only repeats paths that others
 * named.
 */
export async function foreignPaths(
  source: Pick<TreeSource, "tree" | "entryAt">,
  { arrived, store }: { readonly arrived: ReadonlyMap<string, string>; readonly store: BlobStore },
): Promise<ReadonlySet<string>> {
  const foreign = new Set<string>();
  if (arrived.size === 0) return foreign;
  const own = new Set<string>();
  for (let number = 0; number < source.tree.count; number++) {
    const found = recordAt(source, number);
    if (found === undefined) continue;
    const { entryId, record } = found;
    const isOwn = !arrived.has(entryId) && (record.by === "tool" || record.by === "person");
    // A list that is not on this machine names no paths.
    for (const { path } of await changesOf(record, store).catch(() => [])) (isOwn ? own : foreign).add(path);
  }
  for (const path of own) foreign.delete(path);
  return foreign;
}
