/** The prompt that the leaf belongs to. */
import { isPromptAt, type TreeSource } from "@bough/session/tree/index.js";

/** The nearest prompt at or above the leaf, by number; -1 if there is none. */
export function lastPrompt({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">): number {
  let at = leaf;
  while (at >= 0 && !isPromptAt(tree, at)) at = tree.parentOf(at);
  return at;
}
