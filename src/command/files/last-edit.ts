/** The last run, where it is what changed files last. */
import { type EntryId, FILES_TYPE, Kind } from "../../entry/index.js";
import { filesRecord } from "../../entry/internal.js";
import type { SessionManager } from "../../session/index.js";
import { isPromptAt, type TreeSource } from "../../tree/index.js";

/** The nearest prompt at or above the leaf, by number; -1 if there is none. */
export function lastPrompt({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">): number {
  let at = leaf;
  while (at >= 0 && !isPromptAt(tree, at)) at = tree.parentOf(at);
  return at;
}

/**
 * The prompt whose run changed files, if nothing moved since and no one else changed a file: what /undo may offer to undo.
 * Reads the checkpoints of the run and nothing else.
 */
export function lastEdit(session: SessionManager): EntryId | undefined {
  const { tree, leaf, entryAt } = session.getSource();
  for (let at = leaf; at >= 0 && !isPromptAt(tree, at); at = tree.parentOf(at)) {
    const kind = tree.kindOf(at);
    // A summary of what was left is how a move ends.
    if (kind === Kind.branchSummary) return undefined;
    if (kind !== Kind.custom) continue;
    const entry = entryAt(at);
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) continue;
    if (filesRecord(entry.data)?.by !== "tool" || movedSince(session, at)) return undefined;
    const prompt = lastPrompt({ tree, leaf: at });
    return prompt < 0 ? undefined : tree.ids.textOf(prompt);
  }
  return undefined;
}

function movedSince(session: SessionManager, n: number): boolean {
  const { tree } = session.getSource();
  for (let at = n + 1; at < tree.count; at++) if (tree.kindOf(at) === Kind.position) return true;
  return false;
}
