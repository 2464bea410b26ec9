import type { TreeModel } from "../../../view/index.js";

/** Whether what a row stands for is on the path to `end`. Goes from branch to branch, so it costs little for every row. */
export function standsOnPath({ branches }: TreeModel, n: number, end: number): boolean {
  const at = branches.conversationAt(n);
  return at >= 0 && branches.commonAncestor(at, end) === at;
}
