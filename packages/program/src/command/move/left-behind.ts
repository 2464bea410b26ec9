/** What a move leaves behind. */
import { compareBranches, estimateEntryTokens } from "@bough/agent/agent/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { branchIndexOf, type LeftBehind, leftBehind, type PlannedMove } from "@bough/session/tree/index.js";

export interface LeftBehindFacts extends LeftBehind {
  /** Files changed there; for a very long branch, only those that its newest part changed. */
  readonly files: number;
}

/** Read at most this many entries for the files they changed. */
const READ = 1000;

export function leftBehindFacts(session: SessionManager, plan: Pick<PlannedMove, "from" | "to">): LeftBehindFacts {
  const { tree, entryAt } = session.getSource();
  const left = leftBehind(tree, { ...plan, tokensOf: (n) => estimateEntryTokens(entryAt(n)) });
  return { ...left, files: left.entries === 0 ? 0 : changedFiles(session, plan, left.entries) };
}

/** How many files the newest of the entries that are left changed. */
function changedFiles(session: SessionManager, { from }: Pick<PlannedMove, "from" | "to">, entries: number): number {
  const { tree } = session.getSource();
  const branches = branchIndexOf(tree);
  let top = branches.conversationAt(from);
  for (let left = Math.min(entries, READ); left > 0; left--) top = branches.conversationParentOf(top);
  // Nothing is above the first entry, so use it as the upper end; it changes no file.
  if (top < 0) for (top = from; tree.parentOf(top) >= 0; ) top = tree.parentOf(top);
  return compareBranches(session, { a: tree.ids.textOf(from), b: tree.ids.textOf(top) }).a.files.modifiedFiles.length;
}
