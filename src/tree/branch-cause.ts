import { Kind, type MoveCause } from "../entry/index.js";
import { conversationParent, isConversation } from "./branches.js";
import { childrenOf } from "./paths.js";
import type { TreeSource } from "./tree-source.js";

/**
 * Why the branch that entry `n` is on exists: the cause of the move after which its first entry was written.
 *
 *     a ─ b ─ c           "tree" for d and e: a position record at b, with that cause, was written before d.
 *         ├─ (position, "tree")
 *         └─ d ─ e        Undefined for a, b and c: the oldest conversation below a fork point just went on.
 *
 * Undefined too where no record tells, as in files of other programs. Reads one entry at most.
 */
export function branchCause(source: Pick<TreeSource, "tree" | "entryAt">, n: number): MoveCause | undefined {
  const first = firstOfBranch(source.tree, n);
  if (first === undefined) return undefined;
  const { tree } = source;
  if (tree.kindOf(first.entry) === Kind.branchSummary) return causeIn(source.entryAt(first.entry));
  let record = -1;
  for (const child of childrenOf(tree, tree.parentOf(first.top))) {
    if (tree.kindOf(child) === Kind.position && child < first.top) record = Math.max(record, child);
  }
  const entry = record < 0 ? undefined : source.entryAt(record);
  return entry?.type === "custom" ? causeIn(entry.data) : undefined;
}

interface FirstOfBranch {
  /** First conversation entry of the branch. */
  readonly entry: number;
  /** The entry between it and the fork point that was written first: itself, or a change of model before it. */
  readonly top: number;
}

/** Walks up to where the branch leaves another one. */
function firstOfBranch(tree: TreeSource["tree"], n: number): FirstOfBranch | undefined {
  for (let entry = n; entry >= 0; entry = conversationParent(tree, entry)) {
    if (!isConversation(tree.kindOf(entry))) continue;
    const above = conversationParent(tree, entry);
    if (oldestBelow(tree, above) === entry) continue;
    let top = entry;
    while (tree.parentOf(top) !== above) top = tree.parentOf(top);
    return { entry, top };
  }
  return undefined;
}

/** The conversation entry that was written first right below `n`, looking through the notes between. */
function oldestBelow(tree: TreeSource["tree"], n: number): number {
  let oldest = Number.POSITIVE_INFINITY;
  const waiting = childrenOf(tree, n);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isConversation(tree.kindOf(at))) oldest = Math.min(oldest, at);
    else for (const child of childrenOf(tree, at)) waiting.push(child);
  }
  return oldest;
}

function causeIn(fields: unknown): MoveCause | undefined {
  const cause = (fields as { readonly cause?: unknown } | null | undefined)?.cause;
  return typeof cause === "string" && cause !== "" ? cause : undefined;
}
