/**
 * A list screen: a head, rows in columns, and a foot. A list defines its columns and keys; this decides column widths,
 * cuts, the look of the selected row and what is dropped in a small window, so that all lists look alike.
 */
import { firstWords, grouped } from "../text/index.js";
import { cutLine, fitLine, padLine, rule, selectLine } from "./fit-line.js";
import type { Glyphs } from "./glyphs.js";
import { type Hint, hintLine } from "./hints.js";
import { type Line, span, type Tone } from "./line.js";
import { type DrawnList, type LayoutOptions, type ListState, scrolledTop } from "./list-layout.js";
import { tableRow } from "./table-row.js";

export interface TableScreen<Row> {
  readonly head: TableHead;
  readonly columns: readonly Column<Row>[];
  /** For rows with fewer or other columns. Default: the common columns. */
  readonly columnsOf?: (row: Row) => readonly SizedColumn<Row>[];
  /** An array, or a list that makes its rows when they are shown. */
  readonly rows: { readonly length: number; at(index: number): Row | undefined };
  /** Whether a row is the user's current position. */
  readonly isHere?: (row: Row) => boolean;
  /** Shown instead of the rows if there are none. */
  readonly empty?: string | readonly Line[];
  /** Shown above the keys, such as details of the selected row. */
  readonly notes?: readonly Line[];
  readonly hints: readonly Hint[];
  /** At the right end of the keys. Default: the index of the selected row and the number of rows, if there is room. */
  readonly position?: string;
  /** Width of the symbols for the selected row and the current position. */
  readonly markWidth?: number;
}

export interface TableHead {
  readonly title: string;
  /** After the title, each preceded by a dot. */
  readonly facts?: readonly string[];
  /** After the facts, without a dot. */
  readonly more?: Line;
  /** The words searched for. */
  readonly words?: string;
  /** At the right end; muted if it is a string. */
  readonly right?: string | Line;
  /** Below the title. */
  readonly below?: readonly Line[];
  /** Between the head and the rows if there are no column names or no room for them. */
  readonly divider?: "rule" | "none";
}

/** A column has a fixed width, a share of what the others leave, or all the rest. */
export interface Column<Row> {
  /** Shown above the rows if the window is wide enough. */
  readonly name?: string;
  /** The minimum window width for this column. */
  readonly from?: number;
  readonly width?: number;
  readonly share?: number;
  /** For a column that takes the rest. */
  readonly least?: number;
  /** For a column that takes a share or the rest. */
  readonly most?: number;
  /** Columns at its end that stay empty. */
  readonly gap?: number;
  readonly align?: "left" | "right";
  /** The text for a row, with the width available without the gap. */
  readonly text: (row: Row, room: number) => string | Line;
  /** Muted by default. */
  readonly tone?: (row: Row) => Tone;
}

/** With its width in this window; 0 if there is no room for it. */
export type SizedColumn<Row> = Column<Row> & { readonly width: number };

const MARK_WIDTH = 3;
/** Narrower windows show no column names and no row count. */
const WIDE = 60;

export function sizedColumns<Row>(
  columns: readonly Column<Row>[],
  { width, markWidth = MARK_WIDTH }: { readonly width: number; readonly markWidth?: number },
): readonly SizedColumn<Row>[] {
  const shown = columns.map((column) => (width >= (column.from ?? 0) ? column : { ...column, width: 0 }));
  const free = width - markWidth - shown.reduce((sum, column) => sum + (column.width ?? 0), 0);
  let rest = free;
  const shared = shown.map(({ width, share, most = Number.POSITIVE_INFINITY }) => {
    if (width !== undefined || share === undefined) return width;
    const taken = Math.max(0, Math.min(most, Math.floor(free * share)));
    rest -= taken;
    return taken;
  });
  return shown.map((column, index) => {
    const { least = 0, most = Number.POSITIVE_INFINITY } = column;
    return { ...column, width: shared[index] ?? Math.max(least, Math.min(most, rest)) };
  });
}

/** If there is not enough room, the head is dropped first, then all of the foot except the keys. */
export function tableScreen<Row>(table: TableScreen<Row>, state: ListState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const { rows } = table;
  const { selected } = state;
  const columns = sizedColumns(table.columns, { ...table, width });
  const height = Math.max(1, options.height);
  const head = headLines(table, columns, options);
  const foot = [...(table.notes ?? []), state.message ?? keysLine(table, selected, width)];
  while (head.length + foot.length >= height && head.length > 1) head.pop();
  while (head.length + foot.length >= height && foot.length > 1) foot.shift();
  if (head.length + foot.length >= height) head.length = 0;
  if (foot.length >= height) foot.length = 0;
  const room = height - head.length - foot.length;
  const top = scrolledTop({ count: rows.length, selected, height: room, top: state.top });
  const body: Line[] = rows.length === 0 ? emptyLines(table.empty).slice(0, room) : [];
  let cursorRow: number | undefined;
  for (let index = top; index < Math.min(rows.length, top + room); index++) {
    const row = rows.at(index);
    const line = row === undefined ? [] : rowLine(table, columns, { row, isSelected: index === selected, glyphs });
    if (index === selected) cursorRow = head.length + body.length;
    body.push(index === selected ? selectLine(line, width, glyphs.ellipsis) : line);
  }
  const lines = [...head, ...body, ...foot].map((line) => cutLine(line, width, glyphs.ellipsis));
  return { lines, top, cursorRow };
}

function headLines<Row>(
  { head, rows, markWidth = MARK_WIDTH }: TableScreen<Row>,
  columns: readonly SizedColumn<Row>[],
  { width, glyphs }: LayoutOptions,
): Line[] {
  const { title, facts = [], more = [], words = "", right = "", below = [], divider = "rule" } = head;
  const searched = firstWords(words, 60);
  const left: Line = [
    span(` ${title}`, "strong"),
    ...facts.map((fact) => span(` ${glyphs.dot} ${fact}`)),
    ...more,
    ...(searched === "" ? [] : [span(`  /${searched}`, "accent")]),
  ];
  const lines = [fitLine(left, typeof right === "string" ? [span(right, "muted")] : right, width, glyphs.ellipsis)];
  lines.push(...below);
  if (width >= WIDE && rows.length > 0 && columns.some(({ name }) => name !== undefined)) {
    const names = columns.map(({ name = "", width, align }) => ({ text: name, width, align, tone: "muted" as const }));
    lines.push(tableRow([{ text: "", width: markWidth }, ...names], glyphs.ellipsis));
  } else if (divider === "rule") lines.push(rule(width, glyphs));
  return lines;
}

function emptyLines(empty: string | readonly Line[] = []): readonly Line[] {
  return typeof empty === "string" ? [[span(` ${empty}`, "muted")]] : empty;
}

function keysLine<Row>({ hints, position, rows }: TableScreen<Row>, selected: number, width: number): Line {
  const counts = width >= WIDE && rows.length > 0;
  const place = counts ? `${grouped(selected + 1)} of ${grouped(rows.length)}` : "";
  return hintLine(hints, width, position ?? place);
}

interface RowPlace<Row> {
  readonly row: Row;
  readonly isSelected: boolean;
  readonly glyphs: Glyphs;
}

function rowLine<Row>(
  { columnsOf, isHere, markWidth = MARK_WIDTH }: TableScreen<Row>,
  columns: readonly SizedColumn<Row>[],
  { row, isSelected, glyphs }: RowPlace<Row>,
): Line {
  const here = isHere?.(row) === true;
  const sign = isSelected ? glyphs.selected : here ? glyphs.here : " ";
  const mark = { text: ` ${sign}${isSelected && here ? glyphs.here : " "}`, width: markWidth };
  return [
    ...tableRow([{ ...mark, tone: here ? "here" : "text" }], glyphs.ellipsis),
    ...(columnsOf?.(row) ?? columns).flatMap((column) => cell(column, row, glyphs.ellipsis)),
  ];
}

function cell<Row>({ width, gap = 0, align, text, tone }: SizedColumn<Row>, row: Row, ellipsis: string): Line {
  if (width <= 0) return [];
  const said = text(row, width - gap);
  if (typeof said !== "string") return padLine(padLine(said, width - gap, ellipsis), width);
  const filled = { text: said, width: width - gap, align, tone: tone?.(row) ?? "muted" };
  return tableRow([filled, { text: "", width: gap }], ellipsis);
}
