/** The input and output of every list layout. */
import type { Glyphs } from "./glyphs.js";
import type { HintOf } from "./hints.js";
import type { Line } from "./line.js";

export interface LayoutOptions {
  readonly width: number;
  /** Maximum number of lines. */
  readonly height: number;
  readonly glyphs: Glyphs;
  /** Milliseconds. */
  readonly now: number;
  readonly hint: HintOf;
}

/** The selected row of a list, and the first visible one. */
export interface ListState {
  readonly selected: number;
  readonly top: number;
  /** A line in place of the hints: a question, a name being edited, a status. */
  readonly message?: Line | undefined;
}

export interface DrawnList {
  readonly lines: readonly Line[];
  /** The first visible row: pass it to the next call, so that the list does not jump. */
  readonly top: number;
  /** The line of the selected row, from 0, for the real cursor. */
  readonly cursorRow: number | undefined;
  /** The column in that line. Default: the start of the row. */
  readonly cursorColumn?: number;
}

/** The first row to show so that the selected one is visible and as little as possible moves. */
export function scrolledTop(list: {
  readonly count: number;
  readonly selected: number;
  readonly height: number;
  readonly top: number;
}): number {
  const { count, selected, height, top } = list;
  const most = Math.max(0, count - Math.max(1, height));
  const wanted = selected < top ? selected : selected >= top + height ? selected - height + 1 : top;
  return Math.min(most, Math.max(0, wanted));
}
