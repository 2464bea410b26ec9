/** The frame of every list: what is above, as many rows as fit, what is below. */
import { cutLine, selectLine } from "./fit-line.js";
import type { Glyphs } from "./glyphs.js";
import { type Line, type Span, span, type Tone } from "./line.js";
import { type DrawnList, type LayoutOptions, scrolledTop } from "./list-layout.js";
import { cutToWidth, displayWidth } from "./text/display-width.js";

export interface FramedList {
  readonly head: readonly Line[];
  readonly foot: readonly Line[];
  readonly count: number;
  readonly selected: number;
  readonly top: number;
  readonly row: (index: number) => Line;
  /** In place of the rows if there are none. */
  readonly empty?: readonly Line[];
}

/** If there is no room for everything, what is above goes first, then all of the foot but its last line. */
export function frameList(list: FramedList, options: Pick<LayoutOptions, "width" | "height" | "glyphs">): DrawnList {
  const { width, glyphs } = options;
  const height = Math.max(1, options.height);
  const head = [...list.head];
  const foot = [...list.foot];
  while (head.length + foot.length >= height && head.length > 1) head.pop();
  while (head.length + foot.length >= height && foot.length > 1) foot.shift();
  if (head.length + foot.length >= height) head.length = 0;
  if (foot.length >= height) foot.length = 0;
  const room = height - head.length - foot.length;
  const top = scrolledTop({ count: list.count, selected: list.selected, height: room, top: list.top });
  const rows: Line[] = list.count === 0 ? (list.empty ?? []).slice(0, room) : [];
  let cursorRow: number | undefined;
  for (let index = top; index < Math.min(list.count, top + room); index++) {
    const line = list.row(index);
    if (index === list.selected) cursorRow = head.length + rows.length;
    rows.push(index === list.selected ? selectLine(line, width, glyphs.ellipsis) : line);
  }
  const lines = [...head, ...rows, ...foot].map((line) => cutLine(line, width, glyphs.ellipsis));
  return { lines, top, cursorRow };
}

export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly align?: "left" | "right";
  readonly tone?: Tone;
}

/** Cells side by side; a text too long for its cell is cut. A cell without width is omitted. */
export function tableRow(cells: readonly Cell[], mark: string): Line {
  const line: Span[] = [];
  for (const { text, width, align = "left", tone = "text" } of cells) {
    if (width <= 0) continue;
    const cut = cutToWidth(text, width, mark);
    const fill = " ".repeat(Math.max(0, width - displayWidth(cut)));
    line.push(span(align === "left" ? cut + fill : fill + cut, tone));
  }
  return line;
}

/** A column of a list: its name, how wide it is here, and what it says of a row. Muted unless it says otherwise. */
export interface Column<Row> {
  readonly name: string;
  readonly width: number;
  readonly align?: "left" | "right";
  readonly text: (row: Row) => string;
  readonly tone?: (row: Row) => Tone;
}

/** The names of the columns, as cells. */
export function columnNames<Row>(columns: readonly Column<Row>[]): readonly Cell[] {
  return columns.map(({ name, width, align = "left" }) => ({ text: name, width, align, tone: "muted" }));
}

export function columnCells<Row>(columns: readonly Column<Row>[], row: Row): readonly Cell[] {
  return columns.map(({ width, align = "left", text, tone }) => {
    return { text: width > 0 ? text(row) : "", width, align, tone: tone?.(row) ?? "muted" };
  });
}

/** The first cell of a row: that it is selected, and that it is where the user is. */
export function markCell(
  { selected, here, width = 3 }: { readonly selected: boolean; readonly here: boolean; readonly width?: number },
  glyphs: Glyphs,
): Cell {
  const sign = selected ? glyphs.selected : here ? glyphs.here : " ";
  return { text: ` ${sign}${selected && here ? glyphs.here : " "}`, width, tone: here ? "here" : "text" };
}
