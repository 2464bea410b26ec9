/** Making an entry visible: open every branch around it, and move the shown parts of long paths to where it is. */
import type { TreeRow } from "./rows/tree-row.js";
import type { TreeModel } from "./tree-model.js";
import { withStretch } from "./tree-moves.js";
import type { TreeState } from "./tree-state.js";

/** An entry that must have rows around it, on the trunk (-1) or in the open branch that starts with `level`. */
interface Step {
  readonly level: number;
  readonly entry: number;
}

export function revealed(model: TreeModel, state: TreeState, n: number): TreeState {
  const way = wayTo(model, n);
  const inner = way.at(-1);
  const opened = new Set(state.opened);
  for (const { level } of way) if (level >= 0) opened.add(level);
  // The row of a branch stands for its first entry as well: that one is seen without opening it.
  const isFirst = inner !== undefined && inner.level === n && !state.opened.has(n);
  if (isFirst) opened.delete(n);
  let shown = opened.size === state.opened.size ? state : { ...state, opened };
  for (const step of isFirst ? way.slice(0, -1) : way) {
    if (isMade(model, shown, step)) continue;
    shown = withStretch(shown, step.level, { anchor: step.entry, above: 0, below: 0 });
  }
  // Unless it is one of a hundred thousand at its fork: then being open is what shows it.
  if (isFirst && !model.rows(shown).places.has(`s${n}`)) shown = { ...shown, opened: new Set(opened).add(n) };
  return shown;
}

/** From the trunk to an entry, one step for each branch that has to be open. */
function wayTo({ branches, source }: TreeModel, n: number): Step[] {
  const way: Step[] = [];
  let at = branches.conversationAt(n);
  const shared = branches.commonAncestor(at, source.leaf);
  let entry = n;
  while (at >= 0 && at !== shared) {
    const branch = branches.branchOf(at);
    // The trunk's own branch goes on where the trunk leaves it; any other one starts with its first entry.
    const leavesTrunk = shared >= 0 && branches.branchOf(shared) === branch;
    const level = leavesTrunk ? branches.firstChildOf(shared) : branches.firstOf(branch);
    way.push({ level, entry });
    at = branches.conversationParentOf(level);
    entry = at;
  }
  if (entry >= 0) way.push({ level: -1, entry });
  return way.reverse();
}

/** Whether an entry stands in the part of its path that has rows. */
function isMade(model: TreeModel, state: TreeState, { level, entry }: Step): boolean {
  const { rows, places } = model.rows(state);
  const depth = (row: TreeRow) => model.branches.depthAt(row.kind === "side" || row.kind === "more" ? row.fork : row.n);
  const above = places.get(`a${level}`);
  const top = above === undefined ? undefined : rows[above + 1];
  if (top !== undefined && model.branches.depthAt(entry) < depth(top)) return false;
  const below = places.get(`z${level}`);
  const bottom = below === undefined ? undefined : rows.findLast((row, at) => at < below && row.level === level);
  return bottom === undefined || model.branches.depthAt(entry) <= depth(bottom);
}
