/** The entries between which a row changed files, for its diff. */
import { endOfTurn, isTurnStart } from "./enter-action.js";
import type { TreeRow } from "./rows/tree-row.js";
import { lastStepFiles } from "./rows/turn-facts.js";
import type { TreeModel } from "./tree-model.js";

/** Numbers of entries. */
export interface RowFileEnds {
  readonly from: number;
  readonly to: number;
}

/** For a prompt its turn, for a step the step. Undefined if no change is recorded. */
export function rowFileEnds(model: TreeModel, row: TreeRow | undefined): RowFileEnds | undefined {
  if (row?.kind !== "entry" || row.n < 0) return undefined;
  if (isTurnStart(model, row.n)) {
    const last = lastStepFiles(model, endOfTurn(model, row.n));
    return last === undefined ? undefined : { from: row.n, to: last.n };
  }
  const step = model.stepFiles(row.n);
  return step === undefined ? undefined : { from: model.source.tree.parentOf(step.n), to: step.n };
}
