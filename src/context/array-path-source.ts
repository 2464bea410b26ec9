import { kindOf, roleOf, type SessionEntry } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { TreeIndex } from "../tree/index.js";
import { isFilledString } from "./json-value.js";
import { type PathSource, treePathSource } from "./path-source.js";

/** Plain entries and the index over them. */
interface LinkedEntries {
  readonly entries: readonly SessionEntry[];
  readonly tree: TreeIndex;
}

/** No entry has it as its id. */
const NO_ID = "";

/**
 * Links entries in file order. Headers and values that are not entries are passed over; of several entries with one id the
 * first counts. A missing parent, a self-parent or a position record as parent makes a root. A cycle is cut where a walk
 * up from its first entry in the file would come round.
 */
export function linkEntries(values: readonly unknown[]): LinkedEntries {
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
export function arrayPathSource({ entries, tree }: LinkedEntries, leaf: number): PathSource {
  return treePathSource(tree, leaf, (n) => entries[n] as SessionEntry);
}
