/** Opening the tree on a certain entry. */
import type { EntryId } from "../../entry/index.js";
import { selectEntry } from "../../view/index.js";
import type { OpenTree } from "./open-tree.js";

/** Opens what is in the way and selects it; an id nobody knows changes nothing. */
export function showEntry(tree: OpenTree, id: EntryId): void {
  const n = tree.model.source.tree.ids.findText(id);
  if (n >= 0) tree.state = selectEntry(tree.model, tree.state, n);
}
