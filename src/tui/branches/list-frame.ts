/** A list of a view as a frame, with a message in place of its last line while there is one. */
import { cutLine, type DrawnList, firstWords, type LayoutOptions, span } from "../../view/index.js";
import type { Desk } from "../desk/desk.js";
import { frameOfLines } from "../desk/frame-of-lines.js";
import type { Frame, Size } from "../desk/panel.js";

/** What every list layout is given. */
export function layoutOptions(desk: Desk, { width, height }: Size): LayoutOptions {
  return { width, height, glyphs: desk.glyphs, now: desk.now(), hint: (actionId) => desk.keys.hint(actionId) };
}

export interface ListPicture {
  readonly drawn: DrawnList;
  readonly message?: string | undefined;
}

/** The real cursor stands on the selected row, so that screen readers and magnifiers follow. */
export function listFrame(desk: Desk, size: Size, { drawn, message }: ListPicture): Frame {
  const lines = [...drawn.lines];
  if (message !== undefined) {
    const said = cutLine([span(` ${firstWords(message, 1000)}`, "strong")], size.width, desk.glyphs.ellipsis);
    if (lines.length > 1) lines[lines.length - 1] = said;
    else lines.push(said);
  }
  const { cursorRow } = drawn;
  return frameOfLines(desk, size, {
    lines,
    ...(cursorRow === undefined ? {} : { cursor: { row: cursorRow, column: 0 } }),
  });
}
