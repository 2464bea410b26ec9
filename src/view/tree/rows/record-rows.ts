/** Bookkeeping that hangs from an entry next to every path: positions, labels of other processes, state of extensions. */
import { isConversation } from "../../../tree/index.js";
import type { TreeReader } from "../tree-reader.js";

/** No one reads more of them at one place. */
const MOST_RECORDS = 50;

/** Records next to an entry that no conversation follows, oldest first; what hangs below them included. */
export function recordsBeside({ source: { tree } }: TreeReader, n: number, onPath: number): number[] {
  const records: number[] = [];
  let looked = 0;
  for (let child = tree.firstChildOf(n); child >= 0 && looked < MOST_RECORDS; child = tree.nextSiblingOf(child)) {
    looked += 1;
    if (child === onPath || isConversation(tree.kindOf(child))) continue;
    const below = recordsBelow(tree, child, MOST_RECORDS - records.length);
    if (below !== undefined) records.push(...below);
  }
  return records;
}

type Tree = TreeReader["source"]["tree"];

/** The record and all below it; undefined if conversation is among them, which makes it part of a branch. */
function recordsBelow(tree: Tree, record: number, most: number): number[] | undefined {
  const found: number[] = [];
  const open = [record];
  for (let at = open.pop(); at !== undefined && found.length < most; at = open.pop()) {
    if (isConversation(tree.kindOf(at))) return undefined;
    found.push(at);
    let child = tree.firstChildOf(at);
    for (let looked = 0; child >= 0 && looked < MOST_RECORDS; looked++, child = tree.nextSiblingOf(child))
      open.push(child);
  }
  return found.sort((a, b) => a - b);
}
