/** The last run, or a command of the person after it, where it is what changed files last. */
import { type EntryId, FILES_TYPE, Kind, Role } from "../../entry/index.js";
import { filesRecord } from "../../entry/internal.js";
import type { SessionManager } from "../../session/index.js";
import { isPromptAt, type TreeSource } from "../../tree/index.js";

/** The nearest prompt at or above the leaf, by number; -1 if there is none. */
export function lastPrompt({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">): number {
  let at = leaf;
  while (at >= 0 && !isPromptAt(tree, at)) at = tree.parentOf(at);
  return at;
}

export interface LastEdit {
  /** The run of a prompt, or a shell command of the person. */
  readonly by: "run" | "command";
  /** The prompt, or the command. */
  readonly id: EntryId;
}

/**
 * What changed files last, if nothing moved since and no one changed a file outside: what /undo may offer to undo. Reads
 * the checkpoints of the last turn and nothing else.
 */
export function lastEdit(session: SessionManager): LastEdit | undefined {
  const { tree, leaf, entryAt } = session.getSource();
  for (let at = leaf; at >= 0 && !isPromptAt(tree, at); at = tree.parentOf(at)) {
    const kind = tree.kindOf(at);
    // A summary of what was left is how a move ends.
    if (kind === Kind.branchSummary) return undefined;
    if (kind !== Kind.custom) continue;
    const entry = entryAt(at);
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) continue;
    if (movedSince(session, at)) return undefined;
    const { by, tool } = filesRecord(entry.data) ?? {};
    const above = tree.parentOf(at);
    // What the person changed by other means has no tool.
    if (by === "person" && tool !== undefined && above >= 0 && tree.roleOf(above) === Role.bashExecution) {
      return { by: "command", id: tree.ids.textOf(above) };
    }
    const prompt = by === "tool" ? lastPrompt({ tree, leaf: at }) : -1;
    return prompt < 0 ? undefined : { by: "run", id: tree.ids.textOf(prompt) };
  }
  return undefined;
}

function movedSince(session: SessionManager, n: number): boolean {
  const { tree } = session.getSource();
  for (let at = n + 1; at < tree.count; at++) if (tree.kindOf(at) === Kind.position) return true;
  return false;
}
