/** Which file states were recorded on other machines: a session from a store can claim anything. */
import type { FileTarget, TreeSource } from "@bough/session/tree/index.js";
import { changesOf, recordAt } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

interface OriginOptions {
  /** Number of the entry whose states are wanted; -1 is before the first one. */
  readonly to: number;
  readonly store: BlobStore;
  /** Entries that came from other machines, with the machine's name. */
  readonly arrived: ReadonlyMap<string, string>;
}

/**
 * Adds the machine to targets whose wanted state is known from another machine alone: the last record at or above the
 * entry that names the path came from there, or, if there is none, any record of the session that names it. A record of
 * this machine may have another machine's claim as its `before`.
 */
export async function withOrigins(
  targets: readonly FileTarget[],
  source: Pick<TreeSource, "tree" | "entryAt">,
  { to, store, arrived }: OriginOptions,
): Promise<readonly FileTarget[]> {
  if (arrived.size === 0 || targets.length === 0) return targets;
  const open = new Set(targets.filter(({ from }) => from === undefined).map(({ path }) => path));
  const found = new Map<string, string>();
  const above = new Set<number>();
  for (let at = to; at >= 0; at = source.tree.parentOf(at)) {
    above.add(at);
    for (const { path, machine } of await namedAt(at)) {
      if (!open.delete(path)) continue;
      if (machine !== undefined) found.set(path, machine);
    }
  }
  for (let at = 0; at < source.tree.count && open.size > 0; at++) {
    if (above.has(at)) continue;
    for (const { path, machine } of await namedAt(at)) {
      if (machine === undefined || !open.delete(path)) continue;
      found.set(path, machine);
    }
  }
  return targets.map((target) => {
    const machine = found.get(target.path);
    return machine === undefined ? target : { ...target, from: machine };
  });

  async function namedAt(at: number): Promise<readonly { readonly path: string; readonly machine?: string }[]> {
    const record = recordAt(source, at);
    if (record === undefined) return [];
    const machine = arrived.get(record.entryId);
    // A list that is not on this machine names no wanted states.
    const changes = await changesOf(record.record, store).catch(() => []);
    return changes.map(({ path }) => ({ path, machine }));
  }
}
