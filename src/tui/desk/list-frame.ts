/** A list of a view as a frame, with what the panel has to say over its last lines. */
import type { DrawnList, LayoutOptions } from "../../view/internal.js";
import type { Desk } from "./desk.js";
import { frameOfLines } from "./frame-of-lines.js";
import type { Frame, Size } from "./panel.js";
import { withMessage } from "./with-message.js";

/** What every list layout is given. */
export function layoutOptions(desk: Desk, { width, height }: Size): LayoutOptions {
  return { width, height, glyphs: desk.glyphs, now: desk.now(), hint: (actionId) => desk.keys.hint(actionId) };
}

interface ListPicture {
  readonly drawn: DrawnList;
  readonly message?: string | undefined;
}

/** The real cursor stands on the selected row, so that screen readers and magnifiers follow. */
export function listFrame(desk: Desk, size: Size, { drawn, message }: ListPicture): Frame {
  const lines = withMessage(drawn.lines, message, size);
  const { cursorRow, cursorColumn = 0 } = drawn;
  return frameOfLines(desk, size, {
    lines,
    ...(cursorRow === undefined ? {} : { cursor: { row: cursorRow, column: cursorColumn } }),
  });
}
