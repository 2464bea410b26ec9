/** Converts a tree into columns and back. Pure: written in Node, read in a browser. */
import type { Kind, Role } from "@bough/session/entry/index.js";
import { newRecordScan } from "@bough/session/entry/internal.js";
import { inOneGo, type Steps } from "@bough/session/text/index.js";
import { branchIndexOf, TreeIndex } from "@bough/session/tree/index.js";
import { decodeBytes, decodeColumn, encodeBytes, encodeColumn } from "./columns.js";
import type { TreeColumns } from "./export-facts.js";

/** Runs in steps, so that a long session does not block everything else. */
export function* treeColumns(tree: TreeIndex): Steps<TreeColumns> {
  const { count } = tree;
  const ids: string[] = [];
  const parents = new Float64Array(count);
  const kinds = new Uint8Array(count);
  const lengths = new Float64Array(count);
  const missing: [number, string][] = [];
  let plain = true;
  for (let n = 0; n < count; n++) {
    const id = tree.ids.textOf(n);
    ids.push(id);
    if (id.includes("\n") || tree.ids.findText(id) !== n) plain = false;
    const parent = tree.parentOf(n);
    parents[n] = parent < 0 ? 0 : n - parent;
    kinds[n] = tree.kindOf(n) | (tree.roleOf(n) << 4);
    lengths[n] = tree.lengthOf(n);
    const parentId = tree.missingParentOf(n);
    if (parentId !== undefined) missing.push([n, parentId]);
    yield;
  }
  const columns = {
    count,
    ids: plain ? ids.join("\n") : ids,
    parents: yield* encodeColumn(parents),
    kinds: yield* encodeBytes(kinds),
    lengths: yield* encodeColumn(lengths),
    missing,
  };
  return { ...columns, times: yield* timesOf(tree) };
}

/** Times of siblings, if they give a different order than the file. That is rare, so they are listed. */
function* timesOf(tree: TreeIndex): Steps<readonly (readonly [n: number, time: number])[]> {
  const branches = branchIndexOf(tree);
  for (let n = -1; n < tree.count; n++) {
    yield;
    tree.firstChildOf(n);
    if (!branches.isFork(n)) continue;
    const later = branches.laterChildrenOf(n).map((branch) => branches.firstOf(branch));
    tree.times.oldestFirst([branches.firstChildOf(n)].concat(later));
  }
  return tree.times.whatMattered();
}

export function treeFromColumns(columns: TreeColumns): TreeIndex {
  const read = readColumns(columns);
  const tree =
    (typeof columns.ids === "string" ? loadedTree(columns.ids, read) : undefined) ?? addedTree(columns, read);
  const times = new Map(columns.times ?? []);
  if (times.size > 0) tree.times.readBy((n) => times.get(n) ?? Number.NaN);
  return tree;
}

interface ReadColumns {
  readonly count: number;
  readonly parents: Float64Array;
  readonly kinds: Uint8Array;
  readonly lengths: Float64Array;
  readonly missing: ReadonlyMap<number, string>;
}

function readColumns({ count, parents, kinds, lengths, missing }: TreeColumns): ReadColumns {
  return {
    count,
    parents: decodeColumn(parents, count),
    kinds: decodeBytes(kinds, count),
    lengths: decodeColumn(lengths, count),
    missing: new Map(missing),
  };
}

/** Built from bytes, without creating a string for each entry. Undefined if the tree has oddities. */
function loadedTree(ids: string, { count, parents, kinds, lengths, missing }: ReadColumns): TreeIndex | undefined {
  if (missing.size > 0 || count === 0) return undefined;
  const bytes = new TextEncoder().encode(`${ids}\n`);
  const starts = new Uint32Array(count + 1);
  let line = 0;
  for (let at = 0; at < bytes.length && line < count; at++) if (bytes[at] === 0x0a) starts[++line] = at + 1;
  if (line < count) return undefined;
  const tree = new TreeIndex();
  tree.reserve(count, Math.ceil(bytes.length / count));
  const scan = { ...newRecordScan(), bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  for (let n = 0; n < count; n++) {
    const distance = parents[n] as number;
    if (distance < 0) return undefined;
    const parent = n - distance;
    scan.kind = kindAt(kinds, n);
    scan.role = roleAt(kinds, n);
    scan.idStart = starts[n] as number;
    scan.idEnd = (starts[n + 1] as number) - 1;
    scan.parentStart = distance === 0 ? -1 : (starts[parent] as number);
    scan.parentEnd = distance === 0 ? -1 : (starts[parent + 1] as number) - 1;
    tree.load(scan, n, lengths[n] as number);
  }
  return inOneGo(tree.finishLoading()) ? tree : undefined;
}

function addedTree(columns: TreeColumns, { count, parents, kinds, lengths, missing }: ReadColumns): TreeIndex {
  const ids = typeof columns.ids === "string" ? columns.ids.split("\n") : columns.ids;
  const tree = new TreeIndex();
  for (let n = 0; n < count; n++) {
    const id = ids[n] ?? `?${n}`;
    const distance = parents[n] as number;
    const parentId = missing.get(n) ?? (distance === 0 ? null : (ids[n - distance] ?? null));
    addTo(tree, { id, parentId, kind: kindAt(kinds, n), role: roleAt(kinds, n), length: lengths[n] as number });
  }
  tree.settle();
  return tree;
}

interface AddedEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly kind: Kind;
  readonly role: Role;
  readonly length: number;
}

/** Adds the next entry, as a separate root if its ID is taken. */
export function addTo(tree: TreeIndex, { id, parentId, ...entry }: AddedEntry): void {
  const added = { ...entry, offset: tree.count };
  if (tree.add(id, parentId, added) >= 0) tree.addDuplicate(id, added);
}

function kindAt(kinds: Uint8Array, n: number): Kind {
  return ((kinds[n] as number) & 0x0f) as Kind;
}

function roleAt(kinds: Uint8Array, n: number): Role {
  return ((kinds[n] as number) >> 4) as Role;
}
