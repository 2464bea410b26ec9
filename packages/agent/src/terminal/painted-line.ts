/** Handles painted lines from other code: makes them safe, cuts them by width or columns, overlays them. */
import { displayWidth } from "@bough/session/view/internal.js";
import { fitted } from "./fitted-line.js";
import { onlyStyles, STYLE } from "./styled-text.js";

const RESET = "\x1b[0m";
const LINK = "\x1b]8;";
const LINK_END = "\x1b]8;;\x1b\\";
const PICTURE = /\x1b_G|\x1b\]1337;File=/;

/**
 * Makes one safe line: keeps colors and web links, which end with the line, and removes all other control sequences.
 */
export function safePainted(line: string): string {
  const clean = onlyStyles(line, { links: "keep" }).replaceAll("\t", "  ").replaceAll("\n", " ");
  return withEnd(clean);
}

function withEnd(line: string): string {
  return `${line}${line.includes(LINK) ? LINK_END : ""}${line.includes("\x1b[") ? RESET : ""}`;
}

/** Like `safePainted`, cut to a width. */
export function safeFitted(line: string, width: number): string {
  const safe = safePainted(line);
  const cut = fitted(safe, width);
  return cut === safe || (cut.endsWith(RESET) && !cut.includes(LINK)) ? cut : withEnd(cut);
}

/** Only the text. */
export function withoutStyles(line: string): string {
  return (line.includes(LINK) ? onlyStyles(line, { links: "drop" }) : line).replace(STYLE, "");
}

export function paintedWidth(line: string): number {
  return displayWidth(withoutStyles(line));
}

const graphemes = new Intl.Segmenter();

/** The columns from `from` to `to` (exclusive), with their colors; short lines are padded with spaces. */
function columnsOf(line: string, from: number, to: number): string {
  let styles = "";
  let cut = "";
  let column = 0;
  const pieces = line.split(STYLE);
  for (const piece of pieces) {
    if (piece.startsWith("\x1b[")) {
      const isReset = /^\x1b\[0*m$/.test(piece);
      if (column < from) styles = isReset ? "" : styles + piece;
      else if (column < to) cut += piece;
      continue;
    }
    for (const { segment } of graphemes.segment(piece)) {
      const width = displayWidth(segment);
      const end = column + width;
      if (column >= from && end <= to) cut += segment;
      // Half of a wide character becomes a space.
      else if (end > from && column < to) cut += " ".repeat(Math.min(end, to) - Math.max(column, from));
      column = end;
    }
  }
  if (column < to) cut += `${RESET}${" ".repeat(to - Math.max(column, from))}`;
  return `${styles}${cut}${RESET}`;
}

/** Overlays a line on another one, starting at a column. */
export function overlaid(base: string, over: string, { column, width, total }: OverlayPlace): string {
  // An image cannot be cut: the overlay replaces the whole row.
  const under = PICTURE.test(base) ? "" : onlyStyles(base, { links: "drop" });
  const before = column === 0 ? "" : columnsOf(under, 0, column);
  const after = column + width >= total ? "" : columnsOf(under, column + width, total);
  return `${before}${columnsOf(onlyStyles(over, { links: "drop" }), 0, width)}${after}`;
}

interface OverlayPlace {
  readonly column: number;
  readonly width: number;
  /** Width of the whole line. */
  readonly total: number;
}
