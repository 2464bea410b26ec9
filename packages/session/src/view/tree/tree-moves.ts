/** Moves from row to row. Each returns the new state, or the same state if there is nowhere to go. */
import type { TreeRow } from "./rows/tree-row.js";
import { leafPlace, selectedPlace, withSelected } from "./selection.js";
import type { TreeModel } from "./tree-model.js";
import { END_STRETCH, type Stretch, type TreeState } from "./tree-state.js";

/** Moves the selection up by a row. */
export function previousRow(model: TreeModel, state: TreeState): TreeState {
  return movedBy(model, state, -1);
}

/** Moves the selection down by a row. */
export function nextRow(model: TreeModel, state: TreeState): TreeState {
  return movedBy(model, state, 1);
}

/** Moves the selection up by a page. */
export function previousPage(model: TreeModel, state: TreeState, size: number): TreeState {
  return movedBy(model, state, -Math.max(1, size));
}

/** Moves the selection down by a page. */
export function nextPage(model: TreeModel, state: TreeState, size: number): TreeState {
  return movedBy(model, state, Math.max(1, size));
}

/** Selects the very first row: a long path then shows its beginning instead of its end. */
export function firstRow(model: TreeModel, state: TreeState): TreeState {
  const [top] = model.rows(state).rows;
  if (top?.kind !== "earlier") return movedBy(model, state, Number.NEGATIVE_INFINITY);
  const { tree, leaf } = model.source;
  let root = leaf;
  for (let above = tree.parentOf(leaf); above >= 0; above = tree.parentOf(above)) root = above;
  const start = withStretch(state, -1, { anchor: root, above: 0, below: 0 });
  return movedBy(model, start, Number.NEGATIVE_INFINITY);
}

/** Selects the last row, with the end of the path above it. */
export function lastRow(model: TreeModel, state: TreeState): TreeState {
  return movedBy(model, atEnd(state), Number.POSITIVE_INFINITY);
}

/** Selects the leaf. */
export function jumpToLeaf(model: TreeModel, state: TreeState): TreeState {
  const end = atEnd(state);
  const rows = model.rows(end);
  const place = leafPlace(model, rows);
  return place === selectedPlace(model, end) ? end : withSelected(end, rows.rows[place]);
}

/** Selects the previous branch at the same fork. From a row on the path: at the nearest fork above. */
export function previousBranch(model: TreeModel, state: TreeState): TreeState {
  return toBranch(model, state, -1);
}

/** Selects the next branch. */
export function nextBranch(model: TreeModel, state: TreeState): TreeState {
  return toBranch(model, state, 1);
}

/** Selects the nearest row above at which branches start. */
export function previousFork(model: TreeModel, state: TreeState): TreeState {
  return toFork(model, state, -1);
}

/** Selects the nearest row below at which branches start. */
export function nextFork(model: TreeModel, state: TreeState): TreeState {
  return toFork(model, state, 1);
}

/** The row that the branches of a fork start from: the last one above them on the same path. */
export function forkRow(rows: readonly TreeRow[], side: number): TreeRow | undefined {
  const at = rows[side] as TreeRow;
  for (let place = side - 1; place >= 0; place--) {
    const row = rows[place] as TreeRow;
    if (row.level !== at.level) {
      // The row of the open branch itself represents its first entry.
      if (row.kind === "side" && row.n === at.level) return row;
      continue;
    }
    if (!isBranch(row) || row.fork !== at.fork) return row;
  }
  return undefined;
}

export function withStretch(state: TreeState, level: number, stretch: Stretch): TreeState {
  return { ...state, stretches: new Map(state.stretches).set(level, stretch) };
}

function atEnd(state: TreeState): TreeState {
  const stretch = state.stretches.get(-1);
  return stretch === undefined || stretch.anchor < 0 ? state : withStretch(state, -1, END_STRETCH);
}

function movedBy(model: TreeModel, state: TreeState, rows: number): TreeState {
  const all = model.rows(state).rows;
  const from = selectedPlace(model, state);
  const place = Math.min(all.length - 1, Math.max(0, from + rows));
  // No selection means the leaf, wherever it goes: staying there does not select this row.
  return place === from ? state : withSelected(state, all[place]);
}

function toBranch(model: TreeModel, state: TreeState, step: 1 | -1): TreeState {
  const { rows } = model.rows(state);
  const place = selectedPlace(model, state);
  const from = rows[place];
  if (from === undefined) return state;
  if (from.kind === "side") return withSelected(state, neighbour(rows, place, step));
  // From inside an open branch to its neighbor; from the trunk to the branches of the nearest fork above.
  const own = from.level >= 0 ? rows.findIndex((row) => row.kind === "side" && row.n === from.level) : -1;
  if (own >= 0) return withSelected(state, neighbour(rows, own, step) ?? rows[own]);
  for (let at = place - 1; at >= 0; at--) {
    const row = rows[at] as TreeRow;
    if (row.kind === "side" && row.level === from.level) {
      const last = lastOfFork(rows, at);
      return withSelected(state, step < 0 ? last : firstOfFork(rows, at));
    }
  }
  const below = rows.findIndex((row, at) => at > place && row.kind === "side");
  return withSelected(state, rows[below]);
}

function neighbour(rows: readonly TreeRow[], place: number, step: 1 | -1): TreeRow | undefined {
  const from = rows[place] as TreeRow;
  for (let at = place + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at] as TreeRow;
    if (row.kind === "side" && row.level === from.level && row.fork === from.fork) return row;
    // Past the fork: its rows are together, with only the insides of open ones between them.
    if (row.level === from.level && !isBranch(row)) return undefined;
  }
  return undefined;
}

function firstOfFork(rows: readonly TreeRow[], place: number): TreeRow | undefined {
  const from = rows[place] as TreeRow;
  return rows.find((row) => row.kind === "side" && row.level === from.level && row.fork === from.fork);
}

function lastOfFork(rows: readonly TreeRow[], place: number): TreeRow | undefined {
  const from = rows[place] as TreeRow;
  return rows.findLast((row) => row.kind === "side" && row.level === from.level && row.fork === from.fork);
}

function toFork(model: TreeModel, state: TreeState, step: 1 | -1): TreeState {
  const { rows, places } = model.rows(state);
  const from = selectedPlace(model, state);
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    if (!isBranch(rows[at] as TreeRow)) continue;
    const fork = forkRow(rows, at) ?? (rows[at] as TreeRow);
    const place = places.get(fork.key) ?? -1;
    if (step < 0 ? place < from : place > from) return withSelected(state, fork);
  }
  return state;
}

function isBranch(row: TreeRow): boolean {
  return row.kind === "side" || row.kind === "more";
}
