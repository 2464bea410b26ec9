import { type EntryId, kindOf } from "../../entry/index.js";
import type { SessionTreeNode } from "../../session/index.js";
import { isConversation } from "../../tree/index.js";

/**
 * Ids of the entries with no conversation below them, in the order of the tree. Reads only those and what hangs below
 * them: an entry with conversation below is no tip, whatever it is.
 */
export function sessionTips(roots: readonly SessionTreeNode[]): EntryId[] {
  const order: { readonly node: SessionTreeNode; readonly parent: number }[] = [];
  const waiting = roots.toReversed().map((node) => ({ node, parent: -1 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const parent = order.push(next) - 1;
    const { children } = next.node;
    for (let i = children.length - 1; i >= 0; i--) waiting.push({ node: children[i] as SessionTreeNode, parent });
  }
  const above = new Uint8Array(order.length);
  const tips: EntryId[] = [];
  // Children come after their parents, so backwards everything below an entry is known before it.
  for (let at = order.length - 1; at >= 0; at--) {
    const { node, parent } = order[at] as (typeof order)[number];
    const isTip = above[at] === 0 && isConversation(kindOf(node.entry));
    if (isTip) tips.push(node.id);
    if (parent >= 0 && (isTip || above[at] === 1)) above[parent] = 1;
  }
  return tips.reverse();
}
