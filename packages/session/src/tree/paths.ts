/** Paths and ancestors, by entry number. Everything walks up; nothing recurses (keeps I9). */
import type { TreeIndex } from "./tree-index.js";

/** Numbers from the root to `n`. Empty for -1. */
export function pathTo(tree: TreeIndex, n: number): Int32Array {
  const path = new Int32Array(depthOf(tree, n));
  for (let at = n, i = path.length - 1; at >= 0; at = tree.parentOf(at), i--) path[i] = at;
  return path;
}

/** The number of entries on the path to `n`: 1 for a root, 0 for -1. */
export function depthOf(tree: TreeIndex, n: number): number {
  let depth = 0;
  for (let at = n; at >= 0; at = tree.parentOf(at)) depth++;
  return depth;
}

/**
 * The deepest entry on both paths, or -1.
 *
 *     r ─ x ─ a        commonAncestor(a, b) = x
 *          └─ y ─ b    commonAncestor(x, b) = x
 */
export function commonAncestor(tree: TreeIndex, a: number, b: number): number {
  let depthA = depthOf(tree, a);
  let depthB = depthOf(tree, b);
  let x = a;
  let y = b;
  for (; depthA > depthB; depthA--) x = tree.parentOf(x);
  for (; depthB > depthA; depthB--) y = tree.parentOf(y);
  while (x !== y) {
    x = tree.parentOf(x);
    y = tree.parentOf(y);
  }
  return x;
}

/** Whether `ancestor` is `n` or above it. -1 is above everything. */
export function isOnPath(tree: TreeIndex, ancestor: number, n: number): boolean {
  if (ancestor < 0) return true;
  for (let at = n; at >= 0; at = tree.parentOf(at)) if (at === ancestor) return true;
  return false;
}

/** Children of `n`, oldest first; the roots for -1. */
export function childrenOf(tree: TreeIndex, n: number): number[] {
  const children: number[] = [];
  for (let child = tree.firstChildOf(n); child >= 0; child = tree.nextSiblingOf(child)) children.push(child);
  return children;
}
