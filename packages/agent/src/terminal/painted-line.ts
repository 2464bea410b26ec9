/** Painted lines of others: made safe, cut to a width, cut out by columns, laid over each other. */
import { displayWidth } from "@bough/session/view/internal.js";
import { fitted } from "./fitted-line.js";
import { onlyStyles, STYLE } from "./styled-text.js";

const RESET = "\x1b[0m";
const LINK = "\x1b]8;";
const LINK_END = "\x1b]8;;\x1b\\";
const PICTURE = /\x1b_G|\x1b\]1337;File=/;

/** One line: colors and links to web pages stay and end with it, everything else that a terminal would obey goes. */
export function safePainted(line: string): string {
  const clean = onlyStyles(line, { links: "keep" }).replaceAll("\t", "  ").replaceAll("\n", " ");
  return ended(clean);
}

function ended(line: string): string {
  return `${line}${line.includes(LINK) ? LINK_END : ""}${line.includes("\x1b[") ? RESET : ""}`;
}

/** The same, no wider than the width. */
export function safeFitted(line: string, width: number): string {
  const safe = safePainted(line);
  const cut = fitted(safe, width);
  return cut === safe || (cut.endsWith(RESET) && !cut.includes(LINK)) ? cut : ended(cut);
}

/** The text alone. */
export function withoutStyles(line: string): string {
  return (line.includes(LINK) ? onlyStyles(line, { links: "drop" }) : line).replace(STYLE, "");
}

export function paintedWidth(line: string): number {
  return displayWidth(withoutStyles(line));
}

const graphemes = new Intl.Segmenter();

/** The columns from `from` up to `to`, with the colors they have; short lines are filled with spaces. */
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
      // Half of a wide character is a space.
      else if (end > from && column < to) cut += " ".repeat(Math.min(end, to) - Math.max(column, from));
      column = end;
    }
  }
  if (column < to) cut += `${RESET}${" ".repeat(to - Math.max(column, from))}`;
  return `${styles}${cut}${RESET}`;
}

/** Puts a line over another one, from a column on. */
export function laidOver(base: string, over: string, { column, width, total }: OverlayPlace): string {
  // A picture cannot be cut: what lies over it takes its row.
  const under = PICTURE.test(base) ? "" : onlyStyles(base, { links: "drop" });
  const before = column === 0 ? "" : columnsOf(under, 0, column);
  const after = column + width >= total ? "" : columnsOf(under, column + width, total);
  return `${before}${columnsOf(onlyStyles(over, { links: "drop" }), 0, width)}${after}`;
}

interface OverlayPlace {
  readonly column: number;
  readonly width: number;
  /** How wide the whole line is. */
  readonly total: number;
}
