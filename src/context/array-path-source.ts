import { isMark, Kind, kindOf, LeafEffect, leafEffect, roleOf, type SessionEntry } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { isFilledString } from "./json-value.js";
import type { PathSource } from "./path-source.js";

/** Plain entries with their links resolved: what an index knows, made in one pass over an array. */
export interface LinkedEntries {
  readonly entries: readonly SessionEntry[];
  readonly kinds: readonly Kind[];
  readonly parents: Int32Array;
  /** Nearest mark at or above each entry, or -1. */
  readonly marks: Int32Array;
  readonly numbers: ReadonlyMap<string, number>;
  /** Where reading the entries in order leaves the leaf (keeps I4), or -1 before the first entry. */
  readonly leaf: number;
}

/**
 * Links entries in file order, by the rules an index follows, so that both give the same context. Headers and values
 * that are not entries are passed over; of several entries with one id the first counts. A missing parent, a self-parent
 * or a position record as parent makes a root. A cycle is cut where a walk up from its first entry in the file would
 * come round. Takes one pass over any tree, however deep.
 */
export function linkEntries(values: readonly unknown[]): LinkedEntries {
  const entries: SessionEntry[] = [];
  const kinds: Kind[] = [];
  const numbers = new Map<string, number>();
  for (const value of values) {
    if (!isRecord(value) || value.type === "session" || !isFilledString(value.id) || numbers.has(value.id)) continue;
    const entry = value as unknown as SessionEntry;
    numbers.set(value.id, entries.length);
    entries.push(entry);
    kinds.push(kindOf(entry));
  }
  const parents = new Int32Array(entries.length);
  for (const [n, entry] of entries.entries()) {
    const parent = numbers.get(entry.parentId as string) ?? -1;
    parents[n] = parent === n || kinds[parent] === Kind.position ? -1 : parent;
  }
  const leaf = readLeaf({ entries, kinds, parents });
  return { entries, kinds, parents, marks: settleMarks(kinds, parents), numbers, leaf };
}

/** A view of linked entries from one leaf. */
export function arrayPathSource(linked: LinkedEntries, leaf: number): PathSource {
  return {
    leaf,
    parentOf: (n) => linked.parents[n] ?? -1,
    kindOf: (n) => linked.kinds[n] ?? 0,
    roleOf: (n) => roleOf(linked.entries[n] as SessionEntry),
    markAt: (n) => linked.marks[n] ?? -1,
    entryAt: (n) => linked.entries[n] as SessionEntry,
    numberOf: (id) => linked.numbers.get(id) ?? -1,
  };
}

function readLeaf({ entries, kinds, parents }: Pick<LinkedEntries, "entries" | "kinds" | "parents">): number {
  let leaf = -1;
  for (const [n, kind] of kinds.entries()) {
    const effect = leafEffect(kind);
    if (effect === LeafEffect.sets) leaf = n;
    if (effect !== LeafEffect.extends && effect !== LeafEffect.points) continue;
    const parent = parents[n] ?? -1;
    const parentId: unknown = entries[n]?.parentId;
    // A root by damage is not below the place before the first entry, and a parent still to come was not yet there.
    const holds = parent < 0 ? parentId === null || parentId === undefined : parent < n;
    if (!holds) continue;
    if (effect === LeafEffect.points) leaf = parent;
    else if (parent === leaf) leaf = n;
  }
  return leaf;
}

const UNSEEN = -2;
const ON_TRAIL = -3;

/** Fills in the nearest mark of every entry and cuts cycles. Each entry is walked over once, upwards and back. */
function settleMarks(kinds: readonly Kind[], parents: Int32Array): Int32Array {
  const marks = new Int32Array(kinds.length).fill(UNSEEN);
  const trail: number[] = [];
  for (let start = 0; start < kinds.length; start++) {
    let n = start;
    while (n >= 0 && marks[n] === UNSEEN) {
      marks[n] = ON_TRAIL;
      trail.push(n);
      const parent = parents[n] ?? -1;
      if (marks[parent] === ON_TRAIL) parents[n] = -1;
      n = parents[n] ?? -1;
    }
    let mark = marks[n] ?? -1;
    for (let walked = trail.pop(); walked !== undefined; walked = trail.pop()) {
      if (isMark(kinds[walked] ?? 0)) mark = walked;
      marks[walked] = mark;
    }
  }
  return marks;
}
