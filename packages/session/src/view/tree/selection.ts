/** The selected row, even after rows were added or removed. */
import type { TreeRow, TreeRows } from "./rows/tree-row.js";
import type { TreeModel } from "./tree-model.js";
import type { TreeState } from "./tree-state.js";

/** The selected row. If it is gone: the row of its nearest ancestor that has one. */
export function selectedRow(model: TreeModel, state: TreeState): TreeRow | undefined {
  return model.rows(state).rows[selectedPlace(model, state)];
}

/** Caches the selected row's index: a row hidden by a filter is searched for along the whole path above it. */
const found = new WeakMap<TreeState, { readonly rows: TreeRows; readonly place: number }>();

/** Index of the selected row; -1 only if there are no rows. */
export function selectedPlace(model: TreeModel, state: TreeState): number {
  const rows = model.rows(state);
  const known = found.get(state);
  if (known?.rows === rows) return known.place;
  const place = findSelected(model, rows, state);
  found.set(state, { rows, place });
  return place;
}

function findSelected(model: TreeModel, rows: TreeRows, { selected }: TreeState): number {
  if (selected === undefined) return leafPlace(model, rows);
  const place = rows.places.get(selected.key);
  if (place !== undefined) return place;
  return selected.n < 0 ? leafPlace(model, rows) : rowPlaceOf(model, rows, selected.n);
}

/** Index of the row that represents an entry: its own, its branch's, or that of its nearest ancestor. */
export function rowPlaceOf(model: TreeModel, rows: TreeRows, n: number): number {
  const { tree } = model.source;
  for (let at = n; at >= 0; at = tree.parentOf(at)) {
    const place = rows.entries.get(at);
    if (place !== undefined) return place;
  }
  return rows.rows.length === 0 ? -1 : 0;
}

export function leafPlace(model: TreeModel, { entries, places, rows }: TreeRows): number {
  const { leaf } = model.source;
  return places.get("@") ?? entries.get(leaf) ?? entries.get(model.branches.conversationAt(leaf)) ?? rows.length - 1;
}

export function withSelected(state: TreeState, row: TreeRow | undefined): TreeState {
  if (row === undefined || row.key === state.selected?.key) return state;
  return { ...state, selected: { key: row.key, n: row.n } };
}
