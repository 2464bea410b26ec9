import { Kind, type MoveCause } from "../entry/index.js";
import { branchIndexOf } from "./branch-index.js";
import type { TreeSource } from "./tree-source.js";

/**
 * Why the branch of entry `n` exists: the cause of the move after which its first entry was written.
 *
 *     a ─ b ─ c           "tree" for d and e: a position record at b, with that cause, was written before d.
 *         ├─ (position, "tree")
 *         └─ d ─ e        Undefined for a, b and c: the oldest conversation below a fork point simply continued.
 *
 * Also undefined if no record tells, as in files of other programs. Reads at most one entry.
 */
export function branchCause(source: Pick<TreeSource, "tree" | "entryAt">, n: number): MoveCause | undefined {
  const { tree } = source;
  const branches = branchIndexOf(tree);
  const branch = branches.branchOf(n);
  if (branch === 1) return undefined;
  const first = branches.firstOf(branch);
  if (tree.kindOf(first) === Kind.branchSummary) return causeIn(source.entryAt(first));
  const record = lastPositionAt(tree, branches.forkPointOf(branch), first);
  const entry = record < 0 ? undefined : source.entryAt(record);
  return entry?.type === "custom" ? causeIn(entry.data) : undefined;
}

/** The latest position record at `fork` that was written before the path down to `first` started, or -1. */
function lastPositionAt(tree: TreeSource["tree"], fork: number, first: number): number {
  // A model change may come in between.
  let top = first;
  while (tree.parentOf(top) !== fork) top = tree.parentOf(top);
  let last = -1;
  for (const n of tree.positionEntries) {
    if (n > last && n < top && tree.parentOf(n) === fork && tree.kindOf(n) === Kind.position) last = n;
  }
  return last;
}

function causeIn(fields: unknown): MoveCause | undefined {
  const cause = (fields as { readonly cause?: unknown } | null | undefined)?.cause;
  // A pull from a store also records where this copy is, but that starts no branch.
  return typeof cause === "string" && cause !== "" && cause !== "sync" ? cause : undefined;
}
