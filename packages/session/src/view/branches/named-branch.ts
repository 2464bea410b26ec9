/** A branch by its number and name, for sentences. */
import type { EntryId } from "../../entry/index.js";
import { titleOf } from "../../text/index.js";
import { branchIndexOf, type TreeSource } from "../../tree/index.js";
import { branchName } from "../tree/rows/branch-name.js";

export interface NamedBranch {
  readonly number: number;
  /** As shown in the tree, shortened for a sentence. */
  readonly name: string;
}

/** The branch that a position is on. Before the first entry, that is the first branch. */
export function namedBranchAt(source: TreeSource, position: EntryId | null): NamedBranch {
  const number = branchIndexOf(source.tree).branchOf(position === null ? -1 : source.tree.ids.findText(position));
  return namedBranch(source, number);
}

export function namedBranch(source: TreeSource, number: number): NamedBranch {
  return { number, name: titleOf(branchName(source, number)) };
}
