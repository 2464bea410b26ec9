/** Which entry has the files of another one. */
import { FILES_TYPE, Kind } from "../entry/index.js";
import { filesRecord } from "../entry/internal.js";
import { childrenOf, type TreeSource } from "../tree/index.js";

/**
 * The checkpoint of a step is written below it: whoever goes to a tool result wants the files as they were after it. So
 * the state of an entry is that of the newest checkpoint right below it which names a tool, if there is one. What a
 * person changed afterwards names none, and is not part of the step. -1 is before the first entry.
 */
export function stateNumber({ tree, entryAt }: Pick<TreeSource, "tree" | "entryAt">, n: number): number {
  if (n < 0 || tree.kindOf(n) !== Kind.message) return n;
  const below = childrenOf(tree, n).findLast((child) => {
    if (tree.kindOf(child) !== Kind.custom) return false;
    const entry = entryAt(child);
    return entry.type === "custom" && entry.customType === FILES_TYPE && filesRecord(entry.data)?.tool !== undefined;
  });
  return below ?? n;
}
