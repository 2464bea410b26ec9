/** The rows on the screen, around the selected one. */
import { counted, grouped } from "../../text/index.js";
import type { Line } from "../line.js";
import { type LayoutOptions, scrolledTop } from "../list-layout.js";
import { displayWidth } from "../text/display-width.js";
import { describeRow, type RowParts } from "./rows/describe-row.js";
import { rowLine } from "./rows/row-line.js";
import { rowStyle } from "./rows/row-style.js";
import type { TreeRow } from "./rows/tree-row.js";
import { selectedPlace } from "./selection.js";
import type { TreeModel } from "./tree-model.js";
import type { TreeSituation } from "./tree-situation.js";
import type { TreeState } from "./tree-state.js";

interface ListOptions extends Omit<LayoutOptions, "hint"> {
  /** Width of the whole screen, which determines the level of detail. */
  readonly screen: number;
  readonly top?: string;
  readonly editing?: { readonly text: string; readonly cursor: number };
  readonly situation?: TreeSituation;
}

interface TreeList {
  readonly lines: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
  /** Key of the first visible row. */
  readonly top: string;
}

export function layoutList(model: TreeModel, state: TreeState, options: ListOptions): TreeList {
  const { width, height, screen, glyphs, now, editing } = options;
  const { rows, places } = model.rows(state);
  const selected = selectedPlace(model, state);
  const before = options.top === undefined ? undefined : places.get(options.top);
  const top = scrolledTop({ count: rows.length, selected, height, top: before ?? selected - Math.floor(height * 0.7) });
  const shown = rows.slice(top, top + height).map((row) => ({
    row,
    parts: withDiffering(row, describeRow(model, state, row), options.situation?.differingFiles ?? 0),
  }));
  const common = {
    width,
    style: rowStyle(screen),
    glyphs,
    now,
    labelTimes: state.labelTimes,
    marked: state.search?.words ?? [],
    ...columnsOf(shown, width),
  };
  const drawn = shown.map(({ row, parts }, at) => {
    const isSelected = top + at === selected;
    return rowLine(row, parts, { ...common, selected: isSelected, editing: isSelected ? editing : undefined });
  });
  const at = drawn[selected - top];
  return {
    lines: drawn.map(({ line }) => line),
    cursor: at === undefined ? undefined : { row: selected - top, column: at.column },
    top: rows[top]?.key ?? "",
  };
}

/** Adds to the current position's row how many files on disk differ. */
function withDiffering(row: TreeRow, parts: RowParts, files: number): RowParts {
  if (files === 0 || (row.kind !== "here" && !parts.active)) return parts;
  return { ...parts, remark: `${counted(files, "file")} on disk ${files === 1 ? "differs" : "differ"}` };
}

interface Shown {
  readonly row: TreeRow;
  readonly parts: RowParts;
}

/** Columns shared by the side branches on the screen. */
function columnsOf(shown: readonly Shown[], width: number): { readonly nameWidth: number; readonly digits: number } {
  let nameWidth = 0;
  let digits = 1;
  for (const { row, parts } of shown) {
    if (row.kind !== "side") continue;
    nameWidth = Math.max(nameWidth, displayWidth(parts.text));
    digits = Math.max(digits, grouped(parts.length?.count ?? 0).length);
  }
  return { nameWidth: Math.min(nameWidth, Math.floor(width * 0.45)), digits };
}
