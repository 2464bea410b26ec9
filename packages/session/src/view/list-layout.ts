/** What every list layout takes and gives. */
import type { Glyphs } from "./glyphs.js";
import type { HintOf } from "./hints.js";
import type { Line } from "./line.js";

export interface LayoutOptions {
  readonly width: number;
  /** Lines at most. */
  readonly height: number;
  readonly glyphs: Glyphs;
  /** Milliseconds. */
  readonly now: number;
  readonly hint: HintOf;
}

/** Which row of a list is selected, and the first that is shown. */
export interface ListState {
  readonly selected: number;
  readonly top: number;
  /** A line in place of the hints: a question, a name being edited, a status. */
  readonly message?: Line | undefined;
}

export interface DrawnList {
  readonly lines: readonly Line[];
  /** The first row that is shown: given back with the next call, so that the list does not jump. */
  readonly top: number;
  /** The line with the selected row, from 0: the real cursor belongs there. */
  readonly cursorRow: number | undefined;
  /** Where in that line; the start of the row if it is omitted. */
  readonly cursorColumn?: number;
}

/** The first row to show so that the selected one is on the screen and as little as possible moves. */
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
