/** The versions of a conversation at a fork: which one is shown, and how the others begin. */
import type { TreeModel } from "@bough/session/view/index.js";

export interface Versions {
  /** Starts at 1. */
  readonly number: number;
  readonly count: number;
  /** First entries of the previous and the next version; -1 if there is none. */
  readonly previous: number;
  readonly next: number;
  /** Some of the other versions, with their first words. */
  readonly others: readonly { readonly n: number; readonly branch: number; readonly words: string }[];
}

const MOST_OTHERS = 4;

/** Undefined if an entry has no siblings. */
export function versionsAt(model: TreeModel, n: number): Versions | undefined {
  const { branches } = model;
  if (n < 0 || branches.conversationAt(n) !== n) return undefined;
  const fork = branches.conversationParentOf(n);
  const later = branches.laterChildrenOf(fork);
  if (later.length === 0) return undefined;
  const first = branches.firstChildOf(fork);
  const count = later.length + 1;
  const versionAt = (index: number): number => {
    if (index < 0 || index >= count) return -1;
    return index === 0 ? first : branches.firstOf(later[index - 1] as number);
  };
  const index = n === first ? 0 : later.indexOf(branches.branchOf(n)) + 1;
  const others: { n: number; branch: number; words: string }[] = [];
  for (
    let i = Math.max(0, Math.min(index - 2, count - MOST_OTHERS - 1));
    i < count && others.length < MOST_OTHERS;
    i++
  ) {
    if (i === index) continue;
    const at = versionAt(i);
    others.push({ n: at, branch: branches.branchOf(at), words: model.promptBelow(at) });
  }
  return { number: index + 1, count, previous: versionAt(index - 1), next: versionAt(index + 1), others };
}
