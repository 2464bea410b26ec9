/** Maps rows of the tree to the entries an operation acts on. */
import type { EntryId } from "@bough/session/entry/index.js";
import { isConversation, isOnPath } from "@bough/session/tree/index.js";
import type { TreeModel } from "@bough/session/view/index.js";
import { beginsTurn } from "@bough/session/view/internal.js";

/** Whether the entry is the leaf or above it. Walks the branches, not the entries. */
export function isOnOwnPath({ source, branches }: TreeModel, n: number): boolean {
  const { tree, leaf } = source;
  if (n < 0 || leaf < 0) return false;
  if (!isConversation(tree.kindOf(n))) return isOnPath(tree, n, leaf);
  return branches.commonAncestor(n, leaf) === n;
}

/** The end of an entry's branch; on the current path, the entry itself. */
export function endFor(model: TreeModel, n: number): number {
  const { branches } = model;
  if (isOnOwnPath(model, n)) return n;
  return branches.tipOf(branches.branchOf(n));
}

/**
 * What copying a row means: a prompt, or an extension message that was answered, brings its whole turn along its branch, anything else is itself.
 *
 *     p ─ a ─ t ─ a ─ p'      picking p brings p a t a
 */
export function entriesOfRow(model: TreeModel, n: number): EntryId[] {
  const { source, branches } = model;
  const { tree } = source;
  const ids: EntryId[] = [tree.ids.textOf(n)];
  let at = branches.firstChildOf(n);
  if (!beginsTurn(model, n, at)) return ids;
  for (let next = -1; at >= 0; at = next) {
    next = branches.firstChildOf(at);
    if (beginsTurn(model, at, next)) break;
    ids.push(tree.ids.textOf(at));
  }
  return ids;
}

/** The same for several rows, in session order, without duplicates. */
export function entriesOfRows(model: TreeModel, rows: Iterable<number>): EntryId[] {
  const ids = new Set<EntryId>();
  for (const n of [...rows].sort((a, b) => a - b)) for (const id of entriesOfRow(model, n)) ids.add(id);
  return [...ids];
}
