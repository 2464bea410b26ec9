import {
  type CompactionEntry,
  type FileEntry,
  kindOf,
  migrateSessionEntries,
  roleOf,
  type SessionEntry,
} from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { TreeIndex } from "../tree/index.js";
import { buildContext } from "./build-context.js";
import { isFilledString } from "./json-value.js";
import { type PathSource, treePathSource } from "./path-source.js";
import type { SessionContext } from "./session-context.js";

/**
 * The context of plain entries, as built by `buildContext`.
 *
 * A `leafId` of `null` is before the first entry; a missing or unknown one is the leaf after reading the entries in
 * order (keeps I4). With `byId` the path is looked up there and the other entries are not touched. Entries after a
 * header of version 1 or 2 are upgraded first, as by `migrateSessionEntries`; the array is not modified.
 */
export function buildSessionContext(
  entries: readonly FileEntry[],
  leafId?: string | null,
  byId?: ReadonlyMap<string, SessionEntry>,
): SessionContext {
  if (leafId === null) return buildContext(arrayPathSource(linkEntries([]), -1));
  const path = leafId === undefined || byId === undefined ? null : pathById(leafId, byId);
  const linked = linkEntries(path ?? migrateSessionEntries([...entries]));
  const named = leafId === undefined ? -1 : linked.tree.ids.findText(leafId);
  return buildContext(arrayPathSource(linked, named < 0 ? linked.tree.loadedLeaf : named));
}

/** The last compaction among the entries, on any branch. */
export function getLatestCompactionEntry(entries: readonly FileEntry[]): CompactionEntry | null {
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry: unknown = entries[i];
    if (isRecord(entry) && entry.type === "compaction") return entries[i] as CompactionEntry;
  }
  return null;
}

/** Root first; `null` if the leaf is unknown, or in a cycle, which only file order can resolve. */
function pathById(leafId: string, byId: ReadonlyMap<string, SessionEntry>): SessionEntry[] | null {
  const path: SessionEntry[] = [];
  const seen = new Set<SessionEntry>();
  for (let entry = byId.get(leafId); entry !== undefined; entry = byId.get(entry.parentId as string)) {
    if (seen.has(entry)) return null;
    seen.add(entry);
    path.push(entry);
  }
  return path.length === 0 ? null : path.reverse();
}

/** Plain entries and the index over them. */
interface LinkedEntries {
  readonly entries: readonly SessionEntry[];
  readonly tree: TreeIndex;
}

/** No entry has this ID. */
const NO_ID = "";

/**
 * Links entries in file order. Headers and values that are not entries are skipped; of several entries with the same ID
 * the first counts. A missing parent, a self-parent or a position record as parent makes a root. A cycle is cut where a
 * walk up from its first entry in the file would return to the start.
 */
function linkEntries(values: readonly unknown[]): LinkedEntries {
  const entries: SessionEntry[] = [];
  const tree = new TreeIndex();
  for (const value of values) {
    if (!isRecord(value) || value.type === "session" || !isFilledString(value.id)) continue;
    const entry = value as unknown as SessionEntry;
    const place = { kind: kindOf(entry), role: roleOf(entry), offset: entries.length, length: 0 };
    const parentId: unknown = value.parentId ?? null;
    const named = parentId === null || typeof parentId === "string" ? parentId : NO_ID;
    if (tree.add(value.id, named, place) < 0) entries.push(entry);
  }
  tree.settle();
  return { entries, tree };
}

/** A view of linked entries from one leaf. */
function arrayPathSource({ entries, tree }: LinkedEntries, leaf: number): PathSource {
  return treePathSource(tree, leaf, (n) => entries[n] as SessionEntry);
}
