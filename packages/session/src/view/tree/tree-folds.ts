/**
 * Opens and folds branches, the earlier part of a path, branches beyond the newest, and anything that hides an entry.
 */

import type { TreeRow } from "./rows/tree-row.js";
import { rowPlaceOf, selectedPlace, withSelected } from "./selection.js";
import type { TreeModel } from "./tree-model.js";
import { forkRow, nextRow, withStretch } from "./tree-moves.js";
import { END_STRETCH, type TreeState } from "./tree-state.js";

/** Opens what is folded in the selected row; if it is open, steps into it. */
export function openOrStepIn(model: TreeModel, state: TreeState): TreeState {
  const row = model.rows(state).rows[selectedPlace(model, state)];
  if (row === undefined) return state;
  const opened = openRow(model, state);
  if (opened !== state) return opened;
  return row.kind === "side" ? nextRow(model, state) : state;
}

/**
 * Opens a folded branch, the next rows of a long path, or more branches. Returns the same state if nothing is folded.
 */
export function openRow(model: TreeModel, state: TreeState): TreeState {
  const rows = model.rows(state);
  const place = selectedPlace(model, state);
  const row = rows.rows[place];
  switch (row?.kind) {
    case "side":
      return row.open ? state : { ...withOpened(state, row.n, "open"), selected: row };
    case "earlier":
    case "later": {
      const stretch = state.stretches.get(row.level) ?? END_STRETCH;
      const wider =
        row.kind === "earlier" ? { ...stretch, above: stretch.above + 1 } : { ...stretch, below: stretch.below + 1 };
      // The row disappears or moves, so the selection goes to the row next to it.
      const beside = rows.rows[row.kind === "earlier" ? place + 1 : place - 1];
      return withSelected(withStretch(state, row.level, wider), beside ?? row);
    }
    case "more":
      return { ...state, more: new Map(state.more).set(row.fork, (state.more.get(row.fork) ?? 0) + 1), selected: row };
    default:
      return state;
  }
}

/**
 * Folds an open branch. From a folded one, goes to its fork point; from a row inside a branch, to the branch; from the
 * trunk, to the fork above.
 */
export function foldOrStepOut(model: TreeModel, state: TreeState): TreeState {
  const { rows } = model.rows(state);
  const place = selectedPlace(model, state);
  const row = rows[place];
  if (row === undefined) return state;
  if (row.kind === "side" && row.open) return { ...withOpened(state, row.n, "fold"), selected: row };
  if (row.kind === "side" || row.kind === "more") return withSelected(state, forkRow(rows, place));
  const around = rows.find(({ kind, n }) => kind === "side" && n === row.level && row.level >= 0);
  if (around !== undefined) return withSelected(state, around);
  const side = rows.findLastIndex(({ kind, level }, at) => at < place && level === row.level && kind === "side");
  return side < 0 ? state : withSelected(state, forkRow(rows, side));
}

/** Selects an entry and opens whatever hides it. */
export function selectEntry(model: TreeModel, state: TreeState, n: number): TreeState {
  const shown = revealed(model, state, n);
  const rows = model.rows(shown);
  return withSelected(shown, rows.rows[rowPlaceOf(model, rows, n)]);
}

/**
 * Opens a branch by its number and selects it. Returns the same state if there is no such branch, or all of it is on
 * the trunk.
 */
export function openBranch(model: TreeModel, state: TreeState, branch: number): TreeState {
  const first = model.branches.firstOf(branch);
  if (first < 0) return state;
  const shown = revealed(model, state, first);
  const rows = model.rows(shown).rows;
  const side = rows.find(({ kind, n }) => kind === "side" && model.branches.branchOf(n) === branch);
  return side === undefined ? state : withSelected(withOpened(shown, side.n, "open"), side);
}

/** Selects the next match of the search. */
export function nextMatch(model: TreeModel, state: TreeState): TreeState {
  return toMatch(model, state, 1);
}

/** Selects the previous match. */
export function previousMatch(model: TreeModel, state: TreeState): TreeState {
  return toMatch(model, state, -1);
}

/** Picks or unpicks the selected row's entry. Rows without an entry cannot be picked. */
export function togglePick(model: TreeModel, state: TreeState): TreeState {
  const row = model.rows(state).rows[selectedPlace(model, state)];
  const entry = row !== undefined && (row.kind === "entry" || row.kind === "side" || row.kind === "end") ? row.n : -1;
  if (entry < 0) return state;
  const picked = new Set(state.picked);
  if (!picked.delete(entry)) picked.add(entry);
  return { ...state, picked };
}

function toMatch(model: TreeModel, state: TreeState, step: 1 | -1): TreeState {
  const matches = state.search?.matches ?? [];
  if (matches.length === 0) return state;
  const match = Math.min(matches.length - 1, Math.max(0, state.match + step));
  return selectEntry(model, { ...state, match }, matches[match] as number);
}

function withOpened(state: TreeState, n: number, to: "open" | "fold"): TreeState {
  const opened = new Set(state.opened);
  if (to === "open") opened.add(n);
  else opened.delete(n);
  return { ...state, opened };
}

/** An entry that needs rows around it, on the trunk (-1) or in the open branch that starts with `level`. */
interface Step {
  readonly level: number;
  readonly entry: number;
}

function revealed(model: TreeModel, state: TreeState, n: number): TreeState {
  const way = wayTo(model, n);
  const inner = way.at(-1);
  const opened = new Set(state.opened);
  for (const { level } of way) if (level >= 0) opened.add(level);
  // The row of a branch also represents its first entry, which is visible without opening the branch.
  const isFirst = inner !== undefined && inner.level === n && !state.opened.has(n);
  if (isFirst) opened.delete(n);
  let shown = opened.size === state.opened.size ? state : { ...state, opened };
  for (const step of isFirst ? way.slice(0, -1) : way) {
    if (isMade(model, shown, step)) continue;
    shown = withStretch(shown, step.level, { anchor: step.entry, above: 0, below: 0 });
  }
  // If it is hidden among very many branches at its fork, opening it makes it visible.
  if (isFirst && !model.rows(shown).places.has(`s${n}`)) shown = { ...shown, opened: new Set(opened).add(n) };
  return shown;
}

/** The branches to open from the trunk to an entry, one step each. */
function wayTo({ branches, source }: TreeModel, n: number): Step[] {
  const way: Step[] = [];
  let at = branches.conversationAt(n);
  const shared = branches.commonAncestor(at, source.leaf);
  let entry = n;
  while (at >= 0 && at !== shared) {
    const branch = branches.branchOf(at);
    // The trunk's own branch continues where the trunk leaves it; any other branch starts with its first entry.
    const leavesTrunk = shared >= 0 && branches.branchOf(shared) === branch;
    const level = leavesTrunk ? branches.firstChildOf(shared) : branches.firstOf(branch);
    way.push({ level, entry });
    at = branches.conversationParentOf(level);
    entry = at;
  }
  if (entry >= 0) way.push({ level: -1, entry });
  return way.reverse();
}

/** Whether an entry is in the part of its path that has rows. */
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
