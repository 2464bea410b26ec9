/** Whether two places are one for whoever talks: notes such as labels hang below an entry without being a place. */
import type { EntryId } from "../../entry/index.js";
import { branchIndexOf, type TreeSource } from "../../tree/index.js";

export function isWhereYouAre({ tree, leaf }: TreeSource, place: number | EntryId): boolean {
  const n = typeof place === "number" ? place : tree.ids.findText(place);
  const branches = branchIndexOf(tree);
  return n === leaf || (n >= 0 && branches.conversationAt(n) === branches.conversationAt(leaf));
}
