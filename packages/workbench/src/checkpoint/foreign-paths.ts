/**
 * Paths that only other machines say a session changed. Their records come from whoever may write to a store, so they do
 * not decide which files of this machine are read: what is ignored here stays unread, and so does what a sync would send.
 */
import type { TreeSource } from "@bough/session/tree/index.js";
import { changesOf, recordAt } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

/** Those that no tool and no person changed here. A restore, or a move without the files, names what others named. */
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
    // A list that is not on this machine names nothing that could be looked at.
    for (const { path } of await changesOf(record, store).catch(() => [])) (isOwn ? own : foreign).add(path);
  }
  for (const path of own) foreign.delete(path);
  return foreign;
}
