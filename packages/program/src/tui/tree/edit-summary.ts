/** Lets the user correct a summary before the model reads it. */

import { type EntryId, Kind } from "@bough/session/entry/index.js";
import { replacementOf } from "@bough/session/entry/internal.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import type { CommandOutcome } from "../../command/index.js";
import { askLongText } from "../questions/ask-long-text.js";
import type { OpenedTree } from "./opened-tree.js";

/** The row is a summary at the end of this path, and nothing followed it. */
export function isUnusedSummary({ model, selected }: OpenedTree): boolean {
  const { tree, leaf } = model.source;
  if (selected < 0 || tree.kindOf(selected) !== Kind.branchSummary) return false;
  return model.branches.conversationAt(leaf) === selected;
}

/** The model sees the new text; the file keeps the old one too. */
export function editSummary(tree: OpenedTree): void {
  const { host, context } = tree.app;
  const n = tree.selected;
  const targetId = tree.idOf(n);
  const text = summaryText(tree.model.source, n, targetId);
  tree.work.perform(async (): Promise<CommandOutcome> => {
    const content = await askLongText(host, { name: "edit-summary", title: "Text the model sees instead", text });
    if (content === undefined || content.trim() === "" || content === text) {
      return { kind: "unchanged", message: "The summary is unchanged." };
    }
    await context.agent.editContext(targetId, { kind: "replace", content });
    return { kind: "done", message: "The model now sees your text.", hint: "/context restores the original." };
  }, "stay");
}

/** Its current text, including edits between it and the leaf. */
function summaryText({ tree, leaf, entryAt }: TreeSource, n: number, targetId: EntryId): string {
  for (let at = leaf; at >= 0 && at !== n; at = tree.parentOf(at)) {
    if (tree.kindOf(at) !== Kind.contextEdit) continue;
    const edit = entryAt(at);
    if (edit.type !== "context_edit" || edit.targetId !== targetId) continue;
    const replacement = replacementOf(edit);
    if (typeof replacement === "string") return replacement;
  }
  const entry = entryAt(n);
  return entry.type === "branch_summary" && typeof entry.summary === "string" ? entry.summary : "";
}
