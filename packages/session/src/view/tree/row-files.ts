/** Between which entries a row changed files: for its diff. */
import { endOfTurn, isTurnStart } from "./enter-action.js";
import type { TreeRow } from "./rows/tree-row.js";
import { lastStepFiles } from "./rows/turn-facts.js";
import type { TreeModel } from "./tree-model.js";

/** Numbers of entries. */
export interface RowFileEnds {
  readonly from: number;
  readonly to: number;
}

/** Of a prompt its turn, of a step the step. Undefined if no change is recorded. */
export function rowFileEnds(model: TreeModel, row: TreeRow | undefined): RowFileEnds | undefined {
  if (row?.kind !== "entry" || row.n < 0) return undefined;
  if (isTurnStart(model, row.n)) {
    const last = lastStepFiles(model, endOfTurn(model, row.n));
    return last === undefined ? undefined : { from: row.n, to: last.n };
  }
  const step = model.stepFiles(row.n);
  return step === undefined ? undefined : { from: model.source.tree.parentOf(step.n), to: step.n };
}
