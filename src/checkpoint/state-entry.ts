/** Which entry has the files of another one. */
import { FILES_TYPE, Kind } from "../entry/index.js";
import { filesRecord } from "../entry/internal.js";
import { childrenOf, isConversation, type TreeSource } from "../tree/index.js";

/** Labels and other notes may stand between a step and its checkpoint, but not many. */
const DEEPEST = 20;

/**
 * The checkpoint of a step is written below it: whoever goes to a tool result wants the files as they were after it. So
 * the state of a message is that of the checkpoint below it which names a tool, if there is one before the conversation
 * continues. What a person changed afterwards names none, and is not part of the step. -1 is before the first entry.
 */
export function stateNumber({ tree, entryAt }: Pick<TreeSource, "tree" | "entryAt">, n: number): number {
  if (n < 0 || tree.kindOf(n) !== Kind.message) return n;
  let at = n;
  for (let depth = 0; depth < DEEPEST; depth++) {
    const notes = childrenOf(tree, at).filter((child) => !isConversation(tree.kindOf(child)));
    const checkpoint = notes.findLast((child) => {
      if (tree.kindOf(child) !== Kind.custom) return false;
      const entry = entryAt(child);
      return entry.type === "custom" && entry.customType === FILES_TYPE && filesRecord(entry.data)?.tool !== undefined;
    });
    if (checkpoint !== undefined) return checkpoint;
    const next = notes.at(-1);
    if (next === undefined) return n;
    at = next;
  }
  return n;
}
