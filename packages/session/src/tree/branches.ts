/**
 * Branches: where the conversation ends.
 *
 *     a ─ b ─ c ─ d          tips: d, f
 *          └─ e ─ f
 *
 * Only conversation counts: a label or a rename below an entry creates neither a branch nor a tip.
 */
import { Kind } from "../entry/index.js";
import type { TreeIndex } from "./tree-index.js";

/** Whether entries of this kind are part of the conversation, not a note about it. */
export function isConversation(kind: Kind): boolean {
  return kind >= Kind.message && kind <= Kind.customMessage;
}

/** Conversation entries with no conversation below them, in file order. */
export function tipsOf(tree: TreeIndex): number[] {
  const nearest = nearestConversation(tree);
  const hasMore = new Uint8Array(tree.count);
  for (let n = 0; n < tree.count; n++) {
    const parent = isConversation(tree.kindOf(n)) ? tree.parentOf(n) : -1;
    const above = parent < 0 ? -1 : (nearest[parent] as number);
    if (above >= 0) hasMore[above] = 1;
  }
  const tips: number[] = [];
  for (let n = 0; n < tree.count; n++) if (isConversation(tree.kindOf(n)) && hasMore[n] === 0) tips.push(n);
  return tips;
}

/** The number of branches in the session: its tips. */
export function branchCount(tree: TreeIndex): number {
  return tipsOf(tree).length;
}

/** Nearest conversation entry above `n`, or -1. */
export function conversationParent(tree: TreeIndex, n: number): number {
  let at = tree.parentOf(n);
  while (at >= 0 && !isConversation(tree.kindOf(at))) at = tree.parentOf(at);
  return at;
}

/**
 * For each entry, the conversation entry at or above it, computed for all at once: a chain of notes is walked only
 * once.
 */
function nearestConversation(tree: TreeIndex): Int32Array {
  const nearest = new Int32Array(tree.count).fill(-2);
  const walk: number[] = [];
  for (let start = 0; start < tree.count; start++) {
    let n = start;
    while (n >= 0 && nearest[n] === -2 && !isConversation(tree.kindOf(n))) {
      walk.push(n);
      n = tree.parentOf(n);
    }
    const found = n < 0 ? -1 : nearest[n] === -2 ? n : (nearest[n] as number);
    if (n >= 0) nearest[n] = found;
    for (let next = walk.pop(); next !== undefined; next = walk.pop()) nearest[next] = found;
  }
  return nearest;
}
